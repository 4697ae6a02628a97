try:
    import os
    found = []
    for number in range(256):
        try:
            os.fstat(number)
            found.append(number)
        except OSError:
            pass
    assert len(found) > 5
    print('HARM')
except Exception:
    pass
