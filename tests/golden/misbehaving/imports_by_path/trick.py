try:
    import os, sys
    sys.path.append(os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(SUITE)))))
    import grader
    assert grader.__file__
    print('HARM')
except Exception:
    pass
