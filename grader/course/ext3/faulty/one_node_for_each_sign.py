"""All operations with the same `_op` share one node.

Each operation makes its own result from its own operands. Name its node after that result.
"""

CAUGHT_BY = ("ext3.operation",)


def to_dot(root):
    names = {node: f"v{number}" for number, node in enumerate(root.build_topo())}
    lines = ["digraph {", "    rankdir=LR;"]
    for node, name in names.items():
        lines.append(f'    {name} [shape=box, label="data {node.data:.4f}\\ngrad {node.grad:.4f}"];')
        if node._prev:
            operation = node._op.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'    op{sum(map(ord, node._op))} [label="{operation}"];')
            lines += [f"    {names[operand]} -> op{sum(map(ord, node._op))};" for operand in node._prev]
            lines.append(f"    op{sum(map(ord, node._op))} -> {name};")
    return "\n".join([*lines, "}"])
