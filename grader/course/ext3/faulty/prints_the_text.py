"""The text is printed instead of returned.

`print` only shows the text to you; `return` gives it to the caller. Return it, and print what comes
back.
"""

CAUGHT_BY = ("ext3.leaf",)


def to_dot(root):
    names = {node: f"v{number}" for number, node in enumerate(root.build_topo())}
    lines = ["digraph {", "    rankdir=LR;"]
    for node, name in names.items():
        lines.append(f'    {name} [shape=box, label="data {node.data:.4f}\\ngrad {node.grad:.4f}"];')
        if node._prev:
            operation = node._op.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'    {name}_op [label="{operation}"];')
            lines += [f"    {names[operand]} -> {name}_op;" for operand in node._prev]
            lines.append(f"    {name}_op -> {name};")
    print("\n".join([*lines, "}"]))
