"""phase4.reused-intermediate engine: breadth first"""


class Value:
    def backward(self):
        self.grad = 1.0
        visited, queue = set(), [self]
        while queue:
            node = queue.pop(0)
            if node not in visited:
                visited.add(node)
                node._backward()
                queue.extend(node._prev)
