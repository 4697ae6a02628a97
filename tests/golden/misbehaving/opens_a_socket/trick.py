try:
    import socket
    socket.socket().close()
    print('HARM')
except Exception:
    pass
