raise ValueError('x' * 10**8)
