import zlib
squeezer = zlib.compressobj(9)
bomb = b"".join(squeezer.compress(bytes(1 << 20)) for _ in range(1200)) + squeezer.flush()
zlib.decompress(bomb)
