"""The graph of a Value as DOT text, which Graphviz can draw."""


def to_dot(root):
    names = {node: f"v{number}" for number, node in enumerate(root.build_topo())}
    lines = ["digraph {", "    rankdir=LR;"]
    for node, name in names.items():
        lines.append(
            f'    {name} [shape=box, label="data {node.data:.4f}\\ngrad {node.grad:.4f}"];'
        )
        if node._prev:
            operation = node._op.replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'    {name}_op [label="{operation}"];')
            lines += [f"    {names[operand]} -> {name}_op;" for operand in node._prev]
            lines.append(f"    {name}_op -> {name};")
    return "\n".join([*lines, "}"])
