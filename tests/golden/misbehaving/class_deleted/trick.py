assert (Value(1) + 2).data == 3
del Value
