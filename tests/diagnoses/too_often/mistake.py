"""phase4.unequal-paths engine: along every path"""


class Value:
    def backward(self):
        self.grad = 1.0

        def down(node):
            node._backward()
            for child in node._prev:
                down(child)

        down(self)
