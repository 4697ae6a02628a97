try:
    open(SUITE).read(1)
    print('HARM')
except Exception:
    pass
