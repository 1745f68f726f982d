"""The losses of dual coordinate ascent, of arrays of examples.

Of each: `better`, the dual variable that is best where all others stay (y: label, wx:
prediction, step: what a change of 1 moves the prediction by), `primal`, `conjugate`
(the loss of the dual), `slope` of the primal loss, and `smoothness`.

Reference: Shalev-Shwartz, Zhang: Stochastic dual coordinate ascent methods (2013).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from twinflow.base.errors import invalid

_NEWTON_STEPS = 10


class Loss(NamedTuple):
    """One loss: its number in native/sdca.c, and its functions."""

    number: int
    better: Callable
    primal: Callable
    conjugate: Callable
    slope: Callable
    smoothness: float
    signs: bool = True


def _xlogx(x):
    return x * np.log(np.where(x > 0, x, 1))


def _logistic_better(y, wx, step, dual):
    x = 0 * wx
    for _ in range(_NEWTON_STEPS):
        t = np.tanh(x)
        slope = -2 * y - step * (1 - t * t) * 0.5 / y
        x = x - (-2 * y * x - wx - step * (0.5 * (1 + t) / y - dual)) / slope
    return 0.5 * (1 + np.tanh(x)) / y


def _poisson_better(y, wx, step, dual):
    x = np.log(0.5 + y)
    for _ in range(_NEWTON_STEPS):
        e = np.exp(x)
        x = x - (x - wx - step * (y - dual - e)) / (1 + step * e)
    return y - np.exp(x)


def _hinge_better(soft):
    def better(y, wx, step, dual):
        with np.errstate(divide="ignore", invalid="ignore"):
            found = dual + (y - wx - soft * dual) / (step + soft)
        return y * np.clip(y * found, 0, 1)

    return better


def _hinge_conjugate(soft):
    def conjugate(y, dual):
        inside = (y * dual >= 0) & (y * dual <= 1)
        return np.where(inside, 0.5 * soft * dual**2 - y * dual, np.finfo("f4").max)

    return conjugate


def _smooth_hinge(y, wx):
    left = np.maximum(1 - y * wx, 0)
    return np.where(left >= 1, left - 0.5, 0.5 * left**2)


LOSSES = {
    "logistic_loss": Loss(
        0, _logistic_better, lambda y, wx: np.logaddexp(0, -y * wx),
        lambda y, dual: _xlogx(y * dual) + _xlogx(1 - y * dual),
        lambda y, wx: -y * np.exp(-np.logaddexp(0, y * wx)), 4.0,
    ),
    "squared_loss": Loss(
        1, lambda y, wx, step, dual: dual + (y - dual - wx) / (1 + step),
        lambda y, wx: 0.5 * (wx - y) ** 2, lambda y, dual: dual * (0.5 * dual - y),
        lambda y, wx: wx - y, 1.0, False,
    ),
    "hinge_loss": Loss(
        2, _hinge_better(0.0), lambda y, wx: np.maximum(0, 1 - y * wx),
        _hinge_conjugate(0.0), lambda y, wx: np.where(y * wx < 1, -y, 0), 0.0,
    ),
    "smooth_hinge_loss": Loss(
        3, _hinge_better(1.0), _smooth_hinge, _hinge_conjugate(1.0),
        lambda y, wx: -y * np.clip(1 - y * wx, 0, 1), 1.0,
    ),
    "poisson_loss": Loss(
        4, _poisson_better, lambda y, wx: np.exp(wx) - y * wx,
        lambda y, dual: _xlogx(y - dual) - (y - dual), lambda y, wx: np.exp(wx) - y,
        1.0, False,
    ),
}  # fmt: skip


def converted(labels: np.ndarray, kind: str) -> np.ndarray:
    """Labels as the loss takes them: 0 and 1 as -1 and 1.

    Raises:
        InvalidArgumentError: another label than 0 or 1, or a negative count.
    """
    if LOSSES[kind].signs:
        other = labels[(labels != 0) & (labels != 1)]
        if other.size:
            raise invalid(
                "Only labels of 0.0 or 1.0 are supported right now. Found example with "
                f"label: {other[0]:g}"
            )
        return 2 * labels - 1
    if kind == "poisson_loss" and (labels < 0).any():
        raise invalid(
            "Only non-negative labels are supported for the Poisson log loss. Found "
            f"example with label: {labels[labels < 0][0]:g}"
        )
    return labels
