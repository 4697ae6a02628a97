try:
    open(SUITE, 'r+').close()
    print('HARM')
except OSError:
    pass
