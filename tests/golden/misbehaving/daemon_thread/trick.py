import threading, time

def talk():
    while True:
        print("still here")
        time.sleep(0.01)

threading.Thread(target=talk, daemon=True).start()
