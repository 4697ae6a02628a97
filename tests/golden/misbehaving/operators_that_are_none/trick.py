Value.__add__, Value.__radd__ = 5, None
