"""phase4.reused-intermediate engine: breadth first"""


class Value:
    def __init__(self, data, _children=(), _op=""):
        self.data = data
        self.grad = 0.0
        self._prev = tuple(_children)
        self._op = _op
        self._backward = lambda: None

    def backward(self):
        self.grad = 1.0
        visited, queue = set(), [self]
        while queue:
            node = queue.pop(0)
            if node not in visited:
                visited.add(node)
                node._backward()
                queue.extend(node._prev)
