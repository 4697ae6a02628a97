try:
    import os
    assert os.listdir('/')
    print('HARM')
except Exception:
    pass
