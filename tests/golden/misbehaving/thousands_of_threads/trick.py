import threading, time
try:
    for _ in range(3000):
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
except (RuntimeError, MemoryError):
    pass
