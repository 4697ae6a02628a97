try:
    open('note', 'w').close()
    print('HARM')
except Exception:
    pass
