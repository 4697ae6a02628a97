try:
    import os
    open(f'/proc/{os.getppid()}/cmdline', 'rb').read(1)
    print('HARM')
except Exception:
    pass
