import itertools
max(itertools.repeat(1))
