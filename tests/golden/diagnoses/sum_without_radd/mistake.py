"""phase2.number-left engine: there is no __radd__"""


# delete Value.__radd__
