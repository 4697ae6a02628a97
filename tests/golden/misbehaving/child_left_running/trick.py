import os, time
try:
    if not os.fork():
        os.setsid()
        time.sleep(30)
        os._exit(0)
    print("HARM")
except OSError:
    pass
