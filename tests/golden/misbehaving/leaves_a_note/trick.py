try:
    import os
    os.close(os.open(SPARE, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    os.unlink(SPARE)
    print('HARM')
except Exception:
    pass
