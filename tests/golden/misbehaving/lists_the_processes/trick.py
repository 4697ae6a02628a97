try:
    import os
    assert str(os.getppid()) in os.listdir('/proc')
    print('HARM')
except Exception:
    pass
