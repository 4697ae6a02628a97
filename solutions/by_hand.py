"""A measured derivative, and four expressions worked out by hand."""


def slope(f, x):
    h = 1e-5
    return (f(x + h) - f(x - h)) / (2 * h)


def first():
    return {
        "t1": 6, "t2": 10, "t3": 7, "L": 70,
        "L.grad": 1, "t2.grad": 7, "t3.grad": 10, "t1.grad": 7,
        "b.grad": 14, "c.grad": 7, "d.grad": 10,
        "a from t1": 21, "a from t3": 10, "a.grad": 31,
    }  # fmt: skip


def second():
    return {
        "t": -3, "u": 9, "y": 4.5,
        "y.grad": 1, "u.grad": 0.5, "c.grad": -2.25,
        "t.grad": -3, "a.grad": -3, "b.grad": 3,
    }  # fmt: skip


def third():
    return {
        "s": -6, "t": -4, "u": 24, "f": 22,
        "f.grad": 1, "u.grad": 1, "t.grad": -6,
        "s from u": -4, "s from t": -6, "s.grad": -10, "b.grad": -20,
        "a from f": -1, "a from t": -6, "a from s": 30, "a.grad": 23,
    }  # fmt: skip


def fourth():
    return {
        "t1": 6, "t2": 5, "f": 15,
        "f.grad after 1": 1, "t2.grad after 1": 3, "t1.grad after 1": 3,
        "c.grad after 1": 3, "b.grad after 1": 9, "a.grad after 1": 11,
        "f.grad after 2": 1, "t2.grad after 2": 6, "t1.grad after 2": 9,
        "c.grad after 2": 9, "b.grad after 2": 36, "a.grad after 2": 34,
    }  # fmt: skip
