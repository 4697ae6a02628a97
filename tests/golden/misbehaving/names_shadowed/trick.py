sum = max = min = abs = len = list = dict = set = float = str = print = 0
int = type(0)
float = type(0.0)
set = type({0})
