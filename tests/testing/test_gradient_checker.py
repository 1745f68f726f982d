"""The gradient checker finds small errors, and accepts what is right."""

import numpy as np
import pytest

from tests.support.gradients import GradientError, check_gradients
from twinflow.base.dispatch import apply, entered
from twinflow.base.op import INEXACT, Op, registry
from twinflow.eager.mode import MODE
from twinflow.ops.core.elementwise import add, exp, multiply, square, tanh
from twinflow.ops.core.infer import same

X = np.array([[0.5, -1.0, 2.0], [0.3, 1.5, -0.2]])
PLANTED = 1.0005  # an error of 0.05 %


@pytest.fixture(autouse=True)
def eager():
    with entered(MODE):
        yield


def planted(first=1.0, second=1.0):
    """x**3 with its first, or only its second, derivative scaled."""

    def slope_rule(dy, x):
        return multiply(dy, multiply(x, 6.0 * second))

    slope = Op(
        "Slope(x: T) -> (y: T)", same, lambda xp: lambda x: 3 * x * x, INEXACT,
        [slope_rule], strict=True,
    )  # fmt: skip
    cube = Op(
        "Cube(x: T) -> (y: T)", same, lambda xp: lambda x: x * x * x, INEXACT,
        [lambda dy, x: multiply(dy, multiply(apply(slope, (x,)), first))], strict=True,
    )  # fmt: skip
    return lambda x: apply(cube, (x,))


def test_right_gradients_pass():
    check_gradients(planted(), [X])
    check_gradients(lambda x, y: multiply(tanh(x), exp(y)), [X, X[0]])
    check_gradients(lambda x: [square(x), exp(x)], [X])


def test_a_planted_error_in_first_order_is_found():
    with pytest.raises(GradientError, match="first derivative with respect to input 0"):
        check_gradients(planted(first=PLANTED), [X], order=1)


def test_a_planted_error_in_second_order_is_found():
    check_gradients(planted(second=PLANTED), [X], order=1)
    with pytest.raises(
        GradientError, match="second derivative with respect to input 0"
    ):
        check_gradients(planted(second=PLANTED), [X])


def test_an_error_in_one_of_several_inputs_is_found():
    wrong = planted(first=PLANTED)
    with pytest.raises(GradientError, match="input 1"):
        check_gradients(lambda x, y: add(square(x), wrong(y)), [X, X])


def test_an_error_in_one_of_several_outputs_is_found():
    wrong = planted(first=PLANTED)
    with pytest.raises(GradientError):
        check_gradients(lambda x: [square(x), wrong(x)], [X])


def test_a_missing_gradient_is_found():
    sever = Op("Sever(x: T) -> (y: T)", same, lambda xp: lambda x: 2 * x, INEXACT)
    with pytest.raises(GradientError, match="is None along"):
        check_gradients(lambda x: apply(sever, (x,)), [X])


def test_a_rule_that_forgets_the_incoming_gradient_is_found():
    wrong = Op(
        "Forget(x: T) -> (y: T)", same, lambda xp: lambda x: x * x, INEXACT,
        [lambda x: multiply(x, 2.0)],
    )  # fmt: skip
    with pytest.raises(GradientError):
        check_gradients(lambda x: apply(wrong, (x,)), [X])


def test_planted_ops_stay_out_of_the_registry():
    planted()
    assert "Cube" not in registry
