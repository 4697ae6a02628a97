try:
    import ctypes, os

    class Vector(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]

    line = next(line for line in open(f"/proc/{os.getppid()}/maps") if "r--p" in line)
    kept = ctypes.create_string_buffer(16)
    local, remote = Vector(ctypes.addressof(kept), 16), Vector(int(line.split("-")[0], 16), 16)
    done = ctypes.CDLL(None).process_vm_readv(os.getppid(), ctypes.byref(local), 1, ctypes.byref(remote), 1, 0)
    assert done == 16
    print('HARM')
except Exception:
    pass
