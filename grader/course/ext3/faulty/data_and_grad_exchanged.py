"""The label says `data` before the gradient, and `grad` before the number.

Look at the f-string: each name must stand before its own number.
"""

CAUGHT_BY = ("ext3.leaf",)


def to_dot(root):
    names = {node: f"v{number}" for number, node in enumerate(root.build_topo())}
    lines = ["digraph {"]
    for node, name in names.items():
        lines.append(f'{name} [label="data {node.grad:.4f}\\ngrad {node.data:.4f}"];')
        if node._prev:
            operation = node._op.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'{name}_op [label="{operation}"];')
            lines += [f"{names[operand]} -> {name}_op;" for operand in node._prev]
            lines.append(f"{name}_op -> {name};")
    return "\n".join([*lines, "}"])
