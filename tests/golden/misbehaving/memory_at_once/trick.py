try:
    kept = bytearray(10**10)
    print('HARM')
except MemoryError:
    pass
