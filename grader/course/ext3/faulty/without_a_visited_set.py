"""The walk returns to a Value for every use, and writes its lines again.

Nodes with the same name are drawn once, but their arrows are not, and a graph of 61 Values can take
a billion visits. Remember which nodes you have visited, or use `build_topo()`.
"""

CAUGHT_BY = ("ext3.used-again",)


def to_dot(root):
    lines = ["digraph {"]

    def draw(node, name):
        lines.append(f'{name} [label="data {node.data:.4f} grad {node.grad:.4f}"];')
        if node._prev:
            operation = node._op.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'{name}_op [label="{operation}"];')
            lines.append(f"{name}_op -> {name};")
        for number, operand in enumerate(node._prev):
            lines.append(f"v{id(operand)} -> {name}_op;")
            draw(operand, f"v{id(operand)}")

    draw(root, f"v{id(root)}")
    return "\n".join([*lines, "}"])
