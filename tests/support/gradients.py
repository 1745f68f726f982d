"""Checks gradients against differences, in first and second order."""

import numpy as np

from twinflow.autodiff.tape import GradientTape
from twinflow.base.tensor import Tensor
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.elementwise import add, multiply
from twinflow.ops.core.reduction import reduce_sum

_CURVATURE = 0.3  # makes the incoming gradient depend on the inputs


class GradientError(AssertionError):
    """A gradient that differs from the slope of the function."""


def check_gradients(f, xs, order=2, eps=1e-3, tol=1e-6, seed=0):
    """Compare the gradients of `f` with differences along random directions.

    The outputs are made one number s(x) = sum(w y + 0.15 y^2) with random weights w, so
    that every output counts and the second order also sees how gradients depend on the
    incoming one. The derivative along d is the difference of fourth order

        (8 (s(x + eps d) - s(x - eps d)) - (s(x + 2 eps d) - s(x - 2 eps d))) / 12 eps

    and in second order the same of h(x) = <v, grad s(x)>.

    Args:
        f: a function of tensors that gives a tensor or a list of tensors.
        xs: a list of float64 arrays: where to check. `f` must be smooth around them.
        order: 1 or 2.
        eps: the step.
        tol: the largest difference, relative to the sum of the absolute terms.
        seed: of the weights and directions.
    Raises:
        GradientError: a gradient is wrong, or is None where the slope is not 0.
    Example:
        check_gradients(tf.tanh, [np.array([0.5, -1.0])])
    """
    random = np.random.RandomState(seed)
    xs = [np.asarray(x, np.float64) for x in xs]
    total = _weighted(f, random)
    total(*map(constant, xs))  # fixes the weights
    _compare(total, xs, random, eps, tol, "first")
    if order > 1:
        along = [random.uniform(-1, 1, x.shape) for x in xs]
        _compare(_slope_along(total, along), xs, random, eps, tol, "second")


def _weighted(f, random):
    """The number that stands for all outputs."""
    weights: list = []

    def total(*tensors):
        out = f(*tensors)
        parts = [out] if isinstance(out, Tensor) else list(out)
        while len(weights) < len(parts):
            shape = parts[len(weights)].shape.as_list()
            weights.append(random.uniform(0.5, 1.5, shape))
        sums = [
            reduce_sum(multiply(y, add(constant(w), multiply(y, _CURVATURE / 2))))
            for y, w in zip(parts, weights, strict=True)
        ]
        return sums[0] if len(sums) == 1 else sum(sums[1:], sums[0])

    return total


def _gradients(function, tensors):
    with GradientTape() as tape:
        tape.watch(tensors)
        y = function(*tensors)
    return tape.gradient(y, tensors)


def _slope_along(function, directions):
    """``x -> <direction, grad function(x)>``."""

    def slope(*tensors):
        found = _gradients(function, list(tensors))
        parts = [
            reduce_sum(multiply(g, constant(d)))
            for g, d in zip(found, directions, strict=True)
            if g is not None
        ]
        return sum(parts[1:], parts[0]) if parts else constant(0.0, "float64")

    return slope


def _compare(function, xs, random, eps, tol, which):
    tensors = [constant(x) for x in xs]
    found = [
        None if g is None else convert_to_tensor(g).numpy()
        for g in _gradients(function, tensors)
    ]
    for i, (x, g) in enumerate(zip(xs, found, strict=True)):
        d = random.uniform(0.5, 1.5, x.shape) * random.choice([-1, 1], x.shape)
        wanted = _difference(function, xs, i, d, eps)
        terms = np.zeros(()) if g is None else g * d
        scale = max(np.abs(terms).sum(), abs(wanted), 1e-3)
        if not abs(terms.sum() - wanted) <= tol * scale:
            raise GradientError(
                f"The {which} derivative with respect to input {i} is "
                f"{'None' if g is None else terms.sum()} along a random direction, but "
                f"differences give {wanted} (scale {scale:.3g}, tolerance {tol}). "
                "Check the gradient rule, or the domain for kinks."
            )


def _difference(function, xs, i, d, eps):
    def at(step):
        moved = [x + step * d if j == i else x for j, x in enumerate(xs)]
        return float(function(*map(constant, moved)))

    near, far = at(eps) - at(-eps), at(2 * eps) - at(-2 * eps)
    return (8 * near - far) / (12 * eps)
