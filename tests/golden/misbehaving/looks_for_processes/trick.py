try:
    import os
    assert os.stat(f'/proc/{os.getppid()}').st_uid >= 0
    print('HARM')
except Exception:
    pass
