"""Phase 3: each operator alone, forward and backward, on leaves and inside expressions."""

from __future__ import annotations

from collections.abc import Callable

from vocabulary import LARGE_QUOTA, Learner, Value

FAR_POWERS = (
    (3, 2),
    (2.0, 0),
    (-1.5, 0.0),
    (1.5, 7),
    (-2.0, 4),
    (2.0, -4),
    (1.5, 4.5),
    (1.5, 0.25),
    (1.25, 12),
)


def test_times(learner: Learner) -> None:
    """`a * b` is a new Value with the product"""
    learner.check_operation("v * v", gradient=False)
    a, b = learner.values(a=2, b=3)
    learner.expect((a * b).data, 6, "multiplying ints must work too")


def test_times_graph(learner: Learner) -> None:
    """`a * b` remembers `a`, `b` and "*" """
    learner.check_recorded(lambda a, b: a * b, "*", "mul")


def test_times_backward(learner: Learner) -> None:
    """`a * b` passes grad * b to `a` and grad * a to `b`"""
    learner.check_operation("v * v", gradient=True)
    learner.check_at("v * v", (0.0, 3.0), (-2.0, 0), (0.0, 0.0), (3, 2.5), (1.0, 3.0), (3.0, 1))
    learner.check_reused("v * v")


def test_times_number(learner: Learner) -> None:
    """`a * 3` works with an int and a float"""
    learner.check_both("v * k")
    learner.check_at("v * k", (6, 2), (0.0, 3.0))


def test_number_times(learner: Learner) -> None:
    """`3 * a` works with an int and a float"""
    learner.check_both("k * v")
    learner.check_at("k * v", (6, 2), (0, 2.0), (0.0, 2.0), (1, -2.0), (-1.0, 0.5))


def test_negative(learner: Learner) -> None:
    """`-a` flips the sign of number and gradient"""
    learner.check_operation("-v", gradient=False)
    learner.check_untouched("-v")
    learner.check_operation("-v", gradient=True)
    learner.check_at("-v", (3,), (0.0,))


def test_minus(learner: Learner) -> None:
    """`a - b` and `a - 3` subtract"""
    learner.check_operation("v - v", "v - k", gradient=False)


def test_minus_backward(learner: Learner) -> None:
    """`a - b` passes grad to `a` and -grad to `b`"""
    learner.check_operation("v - v", "v - k", gradient=True)
    learner.check_at("v - v, v - k", (3, 2), (2.0, 2.0), (2.0, 0), (0.0, 2.0))
    learner.check_reused("v - v")


def test_number_minus(learner: Learner) -> None:
    """`3 - a` is not `a - 3`"""
    learner.check_both("k - v")
    learner.check_at("k - v", (6, 2), (0, 2.0), (0.0, 2.0), (1, -2.0), (-1.0, 0.5), (2.0, 0.0))


def test_power(learner: Learner) -> None:
    """`a ** n` works for any number `n`"""
    learner.check_operation("v ** k", quota=LARGE_QUOTA, gradient=False)
    learner.check_at("v ** k", *FAR_POWERS, gradient=False)
    a = learner.value(2.0, "a")
    c = learner.named("c", a**3)
    if learner.is_adapted or learner.read([c.reading("_prev", "refs")]) != [[a.ref]]:
        return  # a power built from other operations shows the sign of the last
    learner.expect_operation(c, "**", "pow", "^")
    why = "`_op` has a name in braces: is the `f` before the text missing?"
    learner.expect_text(c.reading("_op", "text"), lambda text: "{" not in text, "**3", why)


def test_power_backward(learner: Learner) -> None:
    """`a ** n` passes grad * n * a**(n-1) to `a`"""
    learner.check_operation("v ** k", quota=LARGE_QUOTA, gradient=True)
    learner.check_at("v ** k", *FAR_POWERS)
    a = learner.value(2.0, "a")
    learner.expect_new(learner.named("c", a**1), [a])


def test_power_of_zero(learner: Learner) -> None:
    """`a ** n` has a derivative at `a = 0` too"""
    for exponent, slope in ((2, 0.0), (1, 1.0), (3, 0.0), (2.0, 0.0)):
        learner.check_slopes(lambda a, n=exponent: a**n, (0.0, 0.0, slope))  # type: ignore[misc]


def test_power_refuses(learner: Learner) -> None:
    """`a ** n` refuses anything but a number as `n`"""
    learner.forms("v ** k")
    learner.works(learner.value(2.0, "a") ** 3)
    for exponent in (3.0, 3, -1.0):
        learner.check_exponent(lambda a, b: a**b, exponent)
    learner.check_exponent(lambda a, b: a ** (b * 1), 3.0)
    if learner.dialect.can("**", "kv"):
        learner.check_exponent(lambda _, b: 2.0**b, 3.0)
    things = () if learner.is_adapted else ("2", None, [2.0])
    learner.check_refuses("a **", lambda a, thing: a**thing, *things)


def test_divided(learner: Learner) -> None:
    """`a / b` and `a / 3` divide"""
    learner.check_operation("v / v", "v / k", gradient=False)
    for number in (False, True) if learner.dialect.can("/", "vk") else (False,):
        a, b = learner.values(a=7, b=2)
        learner.expect((a / (2 if number else b)).data, 3.5, "dividing ints must give 7 / 2 = 3.5")
        learner.fresh()


def test_divided_backward(learner: Learner) -> None:
    """`a / b` sends a gradient to `a` and to `b`"""
    learner.check_operation("v / v", "v / k", gradient=True)
    learner.check_at("v / v, v / k", (6, 2), (2.0, 2.0), (2.0, 1), (0.0, 2.0))
    learner.check_reused("v / v")


def test_number_divided(learner: Learner) -> None:
    """`3 / a` is not `a / 3`"""
    learner.check_both("k / v")
    learner.check_at("k / v", (6, 2), (0, 2.0), (0.0, 2.0), (1, -2.0), (-1.0, 0.5))


def test_division_by_zero(learner: Learner) -> None:
    """Division by zero raises ZeroDivisionError"""
    zero_division = (ZeroDivisionError,)
    divisions: tuple[tuple[Callable[[Value, Value], Value], tuple[type[Exception], ...]], ...] = (
        (lambda a, zero: a / 0, zero_division),
        (lambda a, zero: a / 0.0, zero_division),
        (lambda a, zero: a / zero, zero_division),
        (lambda a, zero: 2 / zero, zero_division),
        (lambda a, zero: 0 / zero, zero_division),
        (lambda a, zero: zero / zero, zero_division),
        (lambda a, zero: zero**-1, (*zero_division, ValueError)),  # math.pow raises ValueError
    )
    by_a_number = learner.dialect.can("/", "vk")
    a, b = learner.values(a=2.0, b=4.0)
    learner.works(*([a / 2] if by_a_number else []), a / b, 2 / b, b**-1)
    for divide, errors in divisions:
        a, zero = learner.values(a=2.0, zero=0.0)
        with learner.raises(
            *errors, why="dividing by zero must raise ZeroDivisionError, as with plain numbers"
        ):
            divide(a, zero)
        learner.fresh()


def test_operands_untouched(learner: Learner) -> None:
    """No operator changes its operands"""
    learner.check_untouched("v * v", "v * k", "v - v", "v - k", "v / v", "v / k", "v ** k")
    learner.check_new(
        lambda a: a * 1,
        lambda a: a * 0,
        lambda a: a - 0,
        lambda a: a - a,
        lambda a: a / 1,
        lambda a: a**1,
        lambda a: -learner.apply("neg", a),
    )
