"""The optimizers that canned Estimators are given: by name, as objects, as functions."""

from typing import Any

from twinflow.train.adagrad import AdagradOptimizer
from twinflow.train.adam import AdamOptimizer
from twinflow.train.ftrl import FtrlOptimizer
from twinflow.train.gradient_descent import GradientDescentOptimizer
from twinflow.train.optimizer import Optimizer
from twinflow.train.rmsprop import RMSPropOptimizer

_BY_NAME: dict[str, Any] = {
    "Adagrad": AdagradOptimizer, "Adam": AdamOptimizer, "Ftrl": FtrlOptimizer,
    "RMSProp": RMSPropOptimizer, "SGD": GradientDescentOptimizer,
}  # fmt: skip


def get_optimizer_instance(opt, learning_rate=None):
    """The optimizer: of a name, of a function of no arguments, or as it is.

    Raises:
        ValueError: there is none of the name, or something else is given.
    """
    if isinstance(opt, str):
        if opt not in _BY_NAME:
            raise ValueError(
                f"Unsupported optimizer name: {opt}. Supported names are: "
                f"{tuple(sorted(_BY_NAME))}"
            )
        if not learning_rate:
            raise ValueError("learning_rate must be specified when opt is string.")
        return _BY_NAME[opt](learning_rate=learning_rate)
    if callable(opt):
        opt = opt()
    if not isinstance(opt, Optimizer):
        raise ValueError(
            f"The given object is not an Optimizer instance. Given: {opt}"
        )
    return opt
