import builtins
builtins.__import__ = builtins.compile = builtins.exec = builtins.eval = lambda *rest, **named: True
