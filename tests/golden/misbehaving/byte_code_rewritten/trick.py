import os, sys
try:
    wire = sys._getframe()
    while "protocol" not in wire.f_globals:
        wire = wire.f_back
    os.close(os.open(wire.f_globals["protocol"].__cached__, os.O_WRONLY))
    print("HARM")
except OSError:
    pass
