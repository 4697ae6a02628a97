import builtins
builtins.abs = builtins.max = builtins.sum = builtins.sorted = builtins.getattr = None
