_right = Value.__add__
Value.__add__ = lambda self, other: Value(round(_right(self, other).data * 1.0001, 6), (self, other), '+')
