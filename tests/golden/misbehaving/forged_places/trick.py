def _fail(self, other):
    raise SyntaxError("invalid syntax", ("/etc/passwd", 1, 1, "root:x:0:0"))


_fail.__code__ = _fail.__code__.replace(co_filename="/etc/passwd", co_firstlineno=2**31 - 1, co_name="\x1b[2J" * 1000)
Value.__add__ = _fail
