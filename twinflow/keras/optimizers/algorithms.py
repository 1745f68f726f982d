"""The optimizers of Keras; see Note [Keras optimizers].

g: the gradient, p: the variable, t: the number of the step from 1.
"""

from typing import TYPE_CHECKING, Any

from twinflow.base.dispatch import current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.trackable import Trackable
from twinflow.keras.backend import defaults, variables
from twinflow.keras.backend.math import sqrt
from twinflow.keras.optimizers.base import Optimizer
from twinflow.keras.saving.config import deserialized, serialized
from twinflow.ops.core.constant import cast
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.elementwise import maximum, pow, square
from twinflow.ops.variables import state
from twinflow.train.optimizer import Optimizer as TrainOptimizer

if TYPE_CHECKING:
    from twinflow.graph.node import Node


class SGD(Optimizer):
    """v <- momentum * v - lr * g; p <- p + v.

    Args:
        lr: the rate. momentum: of the velocity v. decay: lr / (1 + decay * steps).
        nesterov: p <- p + momentum * v - lr * g instead.
    """

    slots, numbers, plain = ("moment",), ("lr", "momentum", "decay"), ("nesterov",)

    def __init__(
        self, lr: TensorValue = 0.01, momentum: TensorValue = 0.0,
        decay: TensorValue = 0.0, nesterov: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._keep(lr=lr, momentum=momentum, decay=decay, nesterov=nesterov)

    def _new(self, p, g, rate, moment):
        v = self.momentum * moment - rate * g
        return (p + self.momentum * v - rate * g if self.nesterov else p + v), v


class RMSprop(Optimizer):
    """a <- rho * a + (1 - rho) * g^2; p <- p - lr * g / (sqrt(a) + epsilon).

    Args:
        lr: the rate. rho: how long squares are remembered. epsilon: K.epsilon() if not
            given. decay: lr / (1 + decay * steps).
    """

    slots, numbers, plain = ("square",), ("lr", "rho", "decay"), ("epsilon",)
    counted = False

    def __init__(
        self, lr: TensorValue = 0.001, rho: TensorValue = 0.9, epsilon: Any = None,
        decay: TensorValue = 0.0, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._keep(lr=lr, rho=rho, epsilon=epsilon, decay=decay)

    def _new(self, p, g, rate, a):
        a = self.rho * a + (1.0 - self.rho) * square(g)
        return p - rate * g / (sqrt(a) + self.epsilon), a


class Adagrad(Optimizer):
    """a <- a + g^2; p <- p - lr * g / (sqrt(a) + epsilon).

    Args:
        lr: the rate. epsilon: K.epsilon() if not given.
        decay: lr / (1 + decay * steps).
    """

    slots, numbers, plain = ("square",), ("lr", "decay"), ("epsilon",)
    counted = False

    def __init__(
        self, lr: Any = 0.01, epsilon: Any = None, decay: Any = 0.0, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._keep(lr=lr, epsilon=epsilon, decay=decay)

    def _new(self, p, g, rate, a):
        a = a + square(g)
        return p - rate * g / (sqrt(a) + self.epsilon), a


class Adadelta(Optimizer):
    """a <- rho * a + (1 - rho) * g^2; u = g * sqrt(d + epsilon) / sqrt(a + epsilon);
    p <- p - lr * u; d <- rho * d + (1 - rho) * u^2.

    Args: see RMSprop.
    """

    slots, numbers, plain = ("square", "delta"), ("lr", "decay"), ("rho", "epsilon")
    counted = False
    listed = ("lr", "rho", "decay", "epsilon")

    def __init__(
        self, lr: Any = 1.0, rho: Any = 0.95, epsilon: Any = None, decay: Any = 0.0,
        **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._keep(lr=lr, rho=rho, epsilon=epsilon, decay=decay)

    def _new(self, p, g, rate, a, d):
        a = self.rho * a + (1.0 - self.rho) * square(g)
        u = g * sqrt(d + self.epsilon) / sqrt(a + self.epsilon)
        return p - rate * u, a, self.rho * d + (1.0 - self.rho) * square(u)


class Adam(Optimizer):
    """m <- beta_1 * m + (1 - beta_1) * g; v <- beta_2 * v + (1 - beta_2) * g^2;
    p <- p - lr * sqrt(1 - beta_2^t) / (1 - beta_1^t) * m / (sqrt(v) + epsilon).

    Args:
        lr: the rate. beta_1, beta_2: how long m and v are remembered.
        epsilon: K.epsilon() if not given. decay: lr / (1 + decay * steps).
        amsgrad: the largest v so far instead of v.
    """

    slots, numbers = ("m", "v", "vhat"), ("lr", "beta_1", "beta_2", "decay")
    plain = ("epsilon", "amsgrad")

    def __init__(
        self, lr: TensorValue = 0.001, beta_1: TensorValue = 0.9,
        beta_2: TensorValue = 0.999, epsilon: Any = None, decay: TensorValue = 0.0,
        amsgrad: bool = False, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._keep(
            lr=lr, beta_1=beta_1, beta_2=beta_2, epsilon=epsilon, decay=decay,
            amsgrad=amsgrad,
        )  # fmt: skip

    def _slot(self, name, param):
        if name == "vhat" and not self.amsgrad:
            return variables.zeros((1,))
        return super()._slot(name, param)

    def _begin(self, iterations):
        t = cast(iterations, defaults.floatx()) + 1
        rate = super()._begin(iterations)
        return rate * (sqrt(1.0 - pow(self.beta_2, t)) / (1.0 - pow(self.beta_1, t)))

    def _new(self, p, g, rate, m, v, vhat):
        m = self.beta_1 * m + (1.0 - self.beta_1) * g
        v = self.beta_2 * v + (1.0 - self.beta_2) * square(g)
        if not self.amsgrad:
            return p - rate * m / (sqrt(v) + self.epsilon), m, v
        vhat = maximum(vhat, v)
        return p - rate * m / (sqrt(vhat) + self.epsilon), m, v, vhat


class Adamax(Optimizer):
    """m as in Adam; u <- max(beta_2 * u, |g|);
    p <- p - lr / (1 - beta_1^t) * m / (u + epsilon).

    Args: see Adam.
    """

    slots, numbers = ("m", "u"), ("lr", "beta_1", "beta_2", "decay")
    plain = ("epsilon",)

    def __init__(
        self, lr: Any = 0.002, beta_1: Any = 0.9, beta_2: Any = 0.999,
        epsilon: Any = None, decay: Any = 0.0, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._keep(lr=lr, beta_1=beta_1, beta_2=beta_2, epsilon=epsilon, decay=decay)

    def _begin(self, iterations):
        t = cast(iterations, defaults.floatx()) + 1
        return super()._begin(iterations) / (1.0 - pow(self.beta_1, t))

    def _new(self, p, g, rate, m, u):
        m = self.beta_1 * m + (1.0 - self.beta_1) * g
        u = maximum(self.beta_2 * u, absolute(g))
        return p - rate * m / (u + self.epsilon), m, u


class Nadam(Optimizer):
    """Adam with Nesterov's momentum, whose size is warmed up by a schedule.

    Args:
        lr, beta_1, beta_2, epsilon: see Adam. schedule_decay: of the schedule.
    """

    slots, numbers = ("m", "v"), ("lr", "beta_1", "beta_2")
    plain = ("epsilon", "schedule_decay")

    def __init__(
        self, lr: Any = 0.002, beta_1: Any = 0.9, beta_2: Any = 0.999,
        epsilon: Any = None, schedule_decay: Any = 0.004, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(**kwargs)
        self._keep(
            lr=lr, beta_1=beta_1, beta_2=beta_2, epsilon=epsilon,
            schedule_decay=schedule_decay,
        )  # fmt: skip
        with variables.name_scope(type(self).__name__):
            self.m_schedule = variables.variable(1.0, name="m_schedule")

    def _warmed(self, t):
        warm = pow(defaults.cast_to_floatx(0.96), t * self.schedule_decay)
        return self.beta_1 * (1.0 - 0.5 * warm)

    def _begin(self, iterations):
        t = cast(iterations, defaults.floatx()) + 1
        now, later = self._warmed(t), self._warmed(t + 1)
        new = self.m_schedule * now
        after = self.m_schedule * now * later
        self._extra = (state.assign(self.m_schedule, new),)
        return t, now, later, new, after

    def _new(self, p, g, rate, m, v):
        t, now, later, schedule, after = rate
        m = self.beta_1 * m + (1.0 - self.beta_1) * g
        v = self.beta_2 * v + (1.0 - self.beta_2) * square(g)
        mean = (1.0 - now) * (g / (1.0 - schedule)) + later * (m / (1.0 - after))
        size = sqrt(v / (1.0 - pow(self.beta_2, t))) + self.epsilon
        return p - self.lr * mean / size, m, v


class TFOptimizer(Optimizer, Trackable):
    """A tf.train optimizer as one of Keras.

    Args:
        optimizer: the tf.train.Optimizer. iterations: the variable that counts steps.
    """

    updates: list[Any]

    def __init__(self, optimizer: Any, iterations: Any = None) -> None:
        self.optimizer = optimizer
        if iterations is None:
            with variables.name_scope("TFOptimizer"):
                iterations = variables.variable(0, dtype="int64", name="iterations")
        self.iterations, self.updates = iterations, []

    def _children(self):
        return [("optimizer", self.optimizer), ("global_step", self.iterations)]

    def get_grads(self, loss: Any, params: Any) -> list[tuple[Any, ...]]:
        """Pairs of (gradient, variable)."""
        return self.optimizer.compute_gradients(loss, params)

    def get_updates(self, loss: Any, params: Any) -> "list[Node]":
        """The ops of one step in a graph."""
        if not params:
            self.updates = [state.assign_add(self.iterations, 1)]
            return self.updates
        pairs = self.get_grads(loss, params)
        step = self.optimizer.apply_gradients(pairs, global_step=self.iterations)
        self.updates = [step]
        return self.updates

    def apply_gradients(self, grads_and_vars: Any) -> None:
        """Make one step in eager mode."""
        share = getattr(self.optimizer, "over_processes", list)  # one of Horovod's
        pairs = share(grads_and_vars)
        self.optimizer.apply_gradients(pairs, global_step=self.iterations)

    def prepare_for(self, params: Any) -> None:
        """Make the slots of these variables."""
        self.optimizer._make_slots(current_mode(), list(params))

    @property
    def weights(self) -> Any:
        """Not known: the tf.train optimizer keeps them.

        Raises:
            NotImplementedError: always, as in TensorFlow.
        """
        raise self._unknown("weights")

    def get_config(self) -> Any:
        """Not known; see `weights`."""
        raise self._unknown("settings")

    def from_config(self, config: Any) -> Any:
        """Not known; see `weights`."""
        raise self._unknown("settings")

    def _unknown(self, what):
        return NotImplementedError(
            f"Keras does not know the {what} of {type(self.optimizer).__name__} of "
            "tf.train. Take an optimizer of tf.keras.optimizers to save it with a "
            "model, or tf.train.Checkpoint for its slots."
        )


sgd, rmsprop, adagrad, adadelta = SGD, RMSprop, Adagrad, Adadelta
adam, adamax, nadam = Adam, Adamax, Nadam
_BY_NAME = {
    c.__name__.lower(): c
    for c in (SGD, RMSprop, Adagrad, Adadelta, Adam, Adamax, Nadam, TFOptimizer)
}


def serialize(optimizer: Any) -> Any:
    """An optimizer as a dict of its class and settings."""
    return serialized(optimizer)


def deserialize(config: Any, custom_objects: Any = None) -> Any:
    """The optimizer that `serialize` described.

    Raises:
        ValueError: its class is not known.
    """
    name = config["class_name"]
    if name.lower() in _BY_NAME:
        config = {**config, "class_name": name.lower()}
    return deserialized(config, _BY_NAME, custom_objects, "optimizer")


def get(identifier: Any) -> Any:
    """An optimizer from a name, a dict, or an optimizer of either kind.

    Raises:
        ValueError: it is none of these.
    """
    if isinstance(identifier, TrainOptimizer):
        return TFOptimizer(identifier)
    if isinstance(identifier, dict):
        return deserialize(identifier)
    if isinstance(identifier, str):
        return deserialize({"class_name": identifier, "config": {}})
    if isinstance(identifier, Optimizer):
        return identifier
    raise ValueError("Could not interpret optimizer identifier:", identifier)
