# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.keras.optimizers.base import Optimizer as Optimizer
from twinflow.keras.optimizers.algorithms import Adadelta as _Adadelta
class Adadelta(_Adadelta):
    lr: Any
    rho: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import Adagrad as _Adagrad
class Adagrad(_Adagrad):
    lr: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import Adam as _Adam
class Adam(_Adam):
    lr: Any
    beta_1: Any
    beta_2: Any
    decay: Any
    amsgrad: Any
from twinflow.keras.optimizers.algorithms import Adamax as _Adamax
class Adamax(_Adamax):
    lr: Any
    beta_1: Any
    beta_2: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import Nadam as _Nadam
class Nadam(_Nadam):
    lr: Any
    beta_1: Any
    beta_2: Any
    schedule_decay: Any
from twinflow.keras.optimizers.algorithms import RMSprop as _RMSprop
class RMSprop(_RMSprop):
    lr: Any
    rho: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import SGD as _SGD
class SGD(_SGD):
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
    lr: Any
    rho: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import adagrad as _adagrad
class adagrad(_adagrad):
    lr: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import adam as _adam
class adam(_adam):
    lr: Any
    beta_1: Any
    beta_2: Any
    decay: Any
    amsgrad: Any
from twinflow.keras.optimizers.algorithms import adamax as _adamax
class adamax(_adamax):
    lr: Any
    beta_1: Any
    beta_2: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import nadam as _nadam
class nadam(_nadam):
    lr: Any
    beta_1: Any
    beta_2: Any
    schedule_decay: Any
from twinflow.keras.optimizers.algorithms import rmsprop as _rmsprop
class rmsprop(_rmsprop):
    lr: Any
    rho: Any
    decay: Any
from twinflow.keras.optimizers.algorithms import sgd as _sgd
class sgd(_sgd):
    lr: Any
    momentum: Any
    decay: Any
    nesterov: Any

__all__ = [
"Optimizer", "Adadelta", "Adagrad", "Adam", "Adamax", "Nadam", "RMSprop", "SGD",
"TFOptimizer", "deserialize", "get", "serialize", "adadelta", "adagrad", "adam",
"adamax", "nadam", "rmsprop", "sgd"
]
