try:
    import os
    os.listdir(os.path.dirname(SUITE))
    print('HARM')
except Exception:
    pass
