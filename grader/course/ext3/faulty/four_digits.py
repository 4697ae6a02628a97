"""Labels show four digits, not decimals.

With `:.4g`, 1234.56 becomes 1235. Write `:.4f`.
"""

CAUGHT_BY = ("ext3.numbers",)


def to_dot(root):
    names = {node: f"v{number}" for number, node in enumerate(root.build_topo())}
    lines = ["digraph {"]
    for node, name in names.items():
        lines.append(f'    {name} [label="data {node.data:.4g}\\ngrad {node.grad:.4g}"];')
        if node._prev:
            operation = node._op.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'    {name}_op [label="{operation}"];')
            lines += [f"    {names[operand]} -> {name}_op;" for operand in node._prev]
            lines.append(f"    {name}_op -> {name};")
    return "\n".join([*lines, "}"])
