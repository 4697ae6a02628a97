"""The arrows lead from Value to Value, without a node for the operation.

Every Value that was computed needs one more node, labelled with its `_op`, between the operands and
the result.
"""

CAUGHT_BY = ("ext3.operation",)


def to_dot(root):
    names = {node: f"v{number}" for number, node in enumerate(root.build_topo())}
    lines = ["digraph {", "    rankdir=LR;"]
    for node, name in names.items():
        lines.append(f'    {name} [shape=box, label="data {node.data:.4f}\\ngrad {node.grad:.4f}"];')
        if node._prev:
            operation = node._op.replace("\\", "\\\\").replace('"', '\\"')
            lines += [f"    {names[operand]} -> {name};" for operand in node._prev]
    return "\n".join([*lines, "}"])
