r"""A picture of your graph.

Graphviz draws graphs from a plain text in a language called DOT. You need not install it to write that text, and there
are pages on the web that draw what you paste. For `c = a * b` the text may look like this:

    digraph {
        rankdir=LR;
        v0 [shape=box, label="data 2.0000\ngrad 3.0000"];
        v1 [shape=box, label="data 3.0000\ngrad 2.0000"];
        v2 [shape=box, label="data 6.0000\ngrad 1.0000"];
        v2_op [label="*"];
        v0 -> v2_op;
        v1 -> v2_op;
        v2_op -> v2;
    }

    grade ext3
"""

# --- Ext 3: drawing the graph ---------------------------------------------------------------------------------------------


def to_dot(root):
    r"""Ext 3. The graph of the Value `root`, as DOT text: a string, nothing is drawn or written to a file.

    - One node for every Value, once, however often it is used. Its label shows `data` and `grad`, with two decimals
      or more. Two Values that hold the same numbers are two nodes.
    - One node for every operation, that is for every Value that was made of others. Its label shows `_op`. A leaf has
      none.
    - Arrows, in the direction of the computation: from each operand to the operation (for `a * a` one arrow or two, as
      you like), and from the operation to its result. No other nodes, no other arrows.

    All else is up to you: how the nodes are called inside the text, shapes, colours, the order of the lines, what else
    stands in a label. Names must be different for different nodes; a name of letters and digits that begins with a
    letter is always right, any other goes into double quotes.

    A label goes into double quotes, so a double quote or a backslash in `_op` would end it early, or vanish: write
    \" for the one and \\ for the other. (\n in a label begins a new line.)

    `build_topo()` gives you every Value once. Drawing changes nothing in the graph.

    >>> from engine import Value
    >>> a = Value(2.0)
    >>> print(to_dot(a))
    digraph {
        rankdir=LR;
        v0 [shape=box, label="data 2.0000\ngrad 0.0000"];
    }
    """
    raise NotImplementedError("ext3: to_dot")
