try:
    open(SOLUTION).read(1)
    print('HARM')
except Exception:
    pass
