try:
    import os, time
    machine = os.uname()  # the name may be empty
    assert machine.release and time.time() > 1e9
    print('HARM')
except Exception:
    pass
