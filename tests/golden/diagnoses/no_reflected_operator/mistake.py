"""phase3.number-minus engine: there is no __rsub__"""


# delete Value.__rsub__
