import engine
from engine import Value as V

assert V is engine.Value is Value
space = {}
exec("class Value:\n    pass", space)
assert space["Value"] is not Value
