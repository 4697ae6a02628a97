try:
    import os
    assert os.listdir(f'/proc/{os.getppid()}/fd')
    print('HARM')
except Exception:
    pass
