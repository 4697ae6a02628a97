try:
    from multiprocessing import shared_memory
    note = shared_memory.SharedMemory("grade-note-%d" % __import__("os").getpid(), create=True, size=16)
    note.close()
    note.unlink()
    print('HARM')
except Exception:
    pass
