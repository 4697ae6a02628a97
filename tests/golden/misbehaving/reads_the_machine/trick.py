try:
    open('/etc/passwd').read(1)
    print('HARM')
except Exception:
    pass
