try:
    import socket
    socket.socket(socket.AF_UNIX).close()
    print('HARM')
except Exception:
    pass
