try:
    import os
    open(f'/proc/{os.getppid()}/environ', 'rb').read(1)
    print('HARM')
except Exception:
    pass
