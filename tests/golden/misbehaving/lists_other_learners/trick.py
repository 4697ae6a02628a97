try:
    import os
    assert os.listdir(os.path.dirname(os.path.dirname(os.path.abspath(SPARE))))
    print('HARM')
except Exception:
    pass
