try:
    import os
    found = []
    for number in range(256):
        try:
            os.fstat(number)
            found.append(number)
        except OSError:
            pass
    # its own: three streams, two channels, and the kernel's count of its waiting
    assert len(found) > 6
    print('HARM')
except Exception:
    pass
