try:
    import os
    assert any(os.path.islink(name) and os.readlink(name) for name in ('/bin', '/lib', '/etc/mtab', '/etc/localtime'))
    print('HARM')
except Exception:
    pass
