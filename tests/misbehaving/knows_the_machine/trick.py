try:
    import os, time
    assert os.uname().nodename and os.uname().release and time.time() > 1e9
    print('HARM')
except Exception:
    pass
