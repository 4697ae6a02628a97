try:
    import os
    assert os.stat(SUITE).st_size > 0
    print('HARM')
except Exception:
    pass
