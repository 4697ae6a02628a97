"""Every use of a Value draws a separate node.

That is a tree of the formula, not the graph: it does not show that `a` is used twice and gets two
shares. Give each Value one name, and draw it once.
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
            lines.append(f"{name}_{number} -> {name}_op;")
            draw(operand, f"{name}_{number}")

    draw(root, "v")
    return "\n".join([*lines, "}"])
