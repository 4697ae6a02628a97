from concurrent.futures import ThreadPoolExecutor

_right, _pool = Value.__add__, ThreadPoolExecutor(2)
Value.__add__ = lambda self, other: _pool.submit(_right, self, other).result()
