"""A whole class: who handed in what, all of it graded, and a gradebook that survives anything."""
