r"""A picture of your graph.

Graphviz draws graphs from plain text, in a language called DOT. You do not have to install it to
write that text, and there are web pages that draw whatever you paste. For `c = a * b` the text may
look like this:

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

# --- Ext 3: drawing the graph ---------------------------------------------------------------------


def to_dot(root):
    r"""Ext 3. Return the graph of the Value `root` as DOT text. Draw nothing and write no file.

    - Make one node for every Value, however often it is used. Its label shows `data` and `grad`,
      with at least two decimals. Two Values that hold the same numbers are still two nodes.
    - Make one node for every operation, that is, for every Value made from other Values. Its label
      shows `_op`. A leaf has no node like this.
    - Draw arrows in the direction of the computation: from each operand to the operation (one or
      two arrows for `a * a`, as you like), and from the operation to its result.
    - Do not add any other nodes or arrows.

    Everything else is up to you: the names of the nodes inside the text, shapes, colours, the order
    of the lines, any other text in a label. Different nodes need different names. A name made of
    letters and digits that starts with a letter always works; put any other in double quotes.

    A label is in double quotes, so a double quote in `_op` would end it early, and a backslash
    could vanish. Write \" for the one and \\ for the other. (\n in a label starts a new line.)

    `build_topo()` gives you every Value once. Leave the graph itself unchanged.

    >>> from engine import Value
    >>> a = Value(2.0)
    >>> print(to_dot(a))
    digraph {
        rankdir=LR;
        v0 [shape=box, label="data 2.0000\ngrad 0.0000"];
    }
    """
    raise NotImplementedError("ext3: to_dot")
