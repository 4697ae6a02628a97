_Value = Value


def Value(data, *rest):
    return _Value(data, *rest)
