# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.keras.optimizers.base import Optimizer as Optimizer
from twinflow.keras.optimizers.algorithms import Adadelta as _Adadelta
class Adadelta(_Adadelta):
    r"""a <- rho * a + (1 - rho) * g^2; u = g * sqrt(d + epsilon) / sqrt(a + epsilon);
    p <- p - lr * u; d <- rho * d + (1 - rho) * u^2.

    Args: see RMSprop.
    """
    lr: Any
    rho: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import Adagrad as _Adagrad
class Adagrad(_Adagrad):
    r"""a <- a + g^2; p <- p - lr * g / (sqrt(a) + epsilon).

    Args:
        lr: the rate. epsilon: K.epsilon() if not given.
        decay: lr / (1 + decay * steps).
    """
    lr: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import Adam as _Adam
class Adam(_Adam):
    r"""m <- beta_1 * m + (1 - beta_1) * g; v <- beta_2 * v + (1 - beta_2) * g^2;
    p <- p - lr * sqrt(1 - beta_2^t) / (1 - beta_1^t) * m / (sqrt(v) + epsilon).

    Args:
        lr: the rate. beta_1, beta_2: how long m and v are remembered.
        epsilon: K.epsilon() if not given. decay: lr / (1 + decay * steps).
        amsgrad: the largest v so far instead of v.
    """
    lr: Any
    beta_1: Any
    beta_2: Any
    decay: Any
    amsgrad: Any
from twinflow.keras.optimizers.algorithms import Adamax as _Adamax
class Adamax(_Adamax):
    r"""m as in Adam; u <- max(beta_2 * u, |g|);
    p <- p - lr / (1 - beta_1^t) * m / (u + epsilon).

    Args: see Adam.
    """
    lr: Any
    beta_1: Any
    beta_2: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import Nadam as _Nadam
class Nadam(_Nadam):
    r"""Adam with Nesterov's momentum, whose size is warmed up by a schedule.

    Args:
        lr, beta_1, beta_2, epsilon: see Adam. schedule_decay: of the schedule.
    """
    lr: Any
    beta_1: Any
    beta_2: Any
    schedule_decay: Any
from twinflow.keras.optimizers.algorithms import RMSprop as _RMSprop
class RMSprop(_RMSprop):
    r"""a <- rho * a + (1 - rho) * g^2; p <- p - lr * g / (sqrt(a) + epsilon).

    Args:
        lr: the rate. rho: how long squares are remembered. epsilon: K.epsilon() if not
            given. decay: lr / (1 + decay * steps).
    """
    lr: Any
    rho: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import SGD as _SGD
class SGD(_SGD):
    r"""v <- momentum * v - lr * g; p <- p + v.

    Args:
        lr: the rate. momentum: of the velocity v. decay: lr / (1 + decay * steps).
        nesterov: p <- p + momentum * v - lr * g instead.
    """
    lr: Any
    momentum: Any
    decay: Any
    nesterov: Any
from twinflow.keras.optimizers.algorithms import TFOptimizer as TFOptimizer
from twinflow.keras.optimizers.algorithms import deserialize as deserialize
from twinflow.keras.optimizers.algorithms import get as get
from twinflow.keras.optimizers.algorithms import serialize as serialize
from twinflow.keras.optimizers.algorithms import adadelta as _adadelta
class adadelta(_adadelta):
    r"""a <- rho * a + (1 - rho) * g^2; u = g * sqrt(d + epsilon) / sqrt(a + epsilon);
    p <- p - lr * u; d <- rho * d + (1 - rho) * u^2.

    Args: see RMSprop.
    """
    lr: Any
    rho: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import adagrad as _adagrad
class adagrad(_adagrad):
    r"""a <- a + g^2; p <- p - lr * g / (sqrt(a) + epsilon).

    Args:
        lr: the rate. epsilon: K.epsilon() if not given.
        decay: lr / (1 + decay * steps).
    """
    lr: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import adam as _adam
class adam(_adam):
    r"""m <- beta_1 * m + (1 - beta_1) * g; v <- beta_2 * v + (1 - beta_2) * g^2;
    p <- p - lr * sqrt(1 - beta_2^t) / (1 - beta_1^t) * m / (sqrt(v) + epsilon).

    Args:
        lr: the rate. beta_1, beta_2: how long m and v are remembered.
        epsilon: K.epsilon() if not given. decay: lr / (1 + decay * steps).
        amsgrad: the largest v so far instead of v.
    """
    lr: Any
    beta_1: Any
    beta_2: Any
    decay: Any
    amsgrad: Any
from twinflow.keras.optimizers.algorithms import adamax as _adamax
class adamax(_adamax):
    r"""m as in Adam; u <- max(beta_2 * u, |g|);
    p <- p - lr / (1 - beta_1^t) * m / (u + epsilon).

    Args: see Adam.
    """
    lr: Any
    beta_1: Any
    beta_2: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import nadam as _nadam
class nadam(_nadam):
    r"""Adam with Nesterov's momentum, whose size is warmed up by a schedule.

    Args:
        lr, beta_1, beta_2, epsilon: see Adam. schedule_decay: of the schedule.
    """
    lr: Any
    beta_1: Any
    beta_2: Any
    schedule_decay: Any
from twinflow.keras.optimizers.algorithms import rmsprop as _rmsprop
class rmsprop(_rmsprop):
    r"""a <- rho * a + (1 - rho) * g^2; p <- p - lr * g / (sqrt(a) + epsilon).

    Args:
        lr: the rate. rho: how long squares are remembered. epsilon: K.epsilon() if not
            given. decay: lr / (1 + decay * steps).
    """
    lr: Any
    rho: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import sgd as _sgd
class sgd(_sgd):
    r"""v <- momentum * v - lr * g; p <- p + v.

    Args:
        lr: the rate. momentum: of the velocity v. decay: lr / (1 + decay * steps).
        nesterov: p <- p + momentum * v - lr * g instead.
    """
    lr: Any
    momentum: Any
    decay: Any
    nesterov: Any

__all__ = [
"Optimizer", "Adadelta", "Adagrad", "Adam", "Adamax", "Nadam", "RMSprop", "SGD",
"TFOptimizer", "deserialize", "get", "serialize", "adadelta", "adagrad", "adam",
"adamax", "nadam", "rmsprop", "sgd"
]
