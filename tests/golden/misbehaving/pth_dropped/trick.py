import os, sys
try:
    name = os.path.join(sys.prefix, "lib", "python%d.%d" % sys.version_info[:2], "site-packages", "zz_%d.pth" % os.getpid())
    os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    os.unlink(name)
    print("HARM")
except OSError:
    pass
