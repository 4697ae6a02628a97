for _ in range(50):
    print('x' * 1_000_000)
