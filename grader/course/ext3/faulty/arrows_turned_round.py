"""The arrows point from the results to their operands.

The gradient flows that way. The picture shows the computation: from the operands through the
operation to the result.
"""

CAUGHT_BY = ("ext3.operation",)


def to_dot(root):
    names = {node: f"v{number}" for number, node in enumerate(root.build_topo())}
    lines = ["digraph {", "    rankdir=LR;"]
    for node, name in names.items():
        lines.append(f'    {name} [shape=box, label="data {node.data:.4f}\\ngrad {node.grad:.4f}"];')
        if node._prev:
            operation = node._op.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'    {name}_op [label="{operation}"];')
            lines += [f"    {name}_op -> {names[operand]};" for operand in node._prev]
            lines.append(f"    {name} -> {name}_op;")
    return "\n".join([*lines, "}"])
