try:
    import os
    open(f'/proc/{os.getppid()}/mem', 'rb').close()
    print('HARM')
except Exception:
    pass
