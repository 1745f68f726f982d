# Made by `make stubs` from the table of the index.
from twinflow.keras.optimizers.base import Optimizer as Optimizer
from twinflow.keras.optimizers.algorithms import Adadelta as Adadelta
from twinflow.keras.optimizers.algorithms import Adagrad as Adagrad
from twinflow.keras.optimizers.algorithms import Adam as Adam
from twinflow.keras.optimizers.algorithms import Adamax as Adamax
from twinflow.keras.optimizers.algorithms import Nadam as Nadam
from twinflow.keras.optimizers.algorithms import RMSprop as RMSprop
from twinflow.keras.optimizers.algorithms import SGD as SGD
from twinflow.keras.optimizers.algorithms import TFOptimizer as TFOptimizer
from twinflow.keras.optimizers.algorithms import deserialize as deserialize
from twinflow.keras.optimizers.algorithms import get as get
from twinflow.keras.optimizers.algorithms import serialize as serialize
from twinflow.keras.optimizers.algorithms import adadelta as adadelta
from twinflow.keras.optimizers.algorithms import adagrad as adagrad
from twinflow.keras.optimizers.algorithms import adam as adam
from twinflow.keras.optimizers.algorithms import adamax as adamax
from twinflow.keras.optimizers.algorithms import nadam as nadam
from twinflow.keras.optimizers.algorithms import rmsprop as rmsprop
from twinflow.keras.optimizers.algorithms import sgd as sgd

__all__ = [
"Optimizer", "Adadelta", "Adagrad", "Adam", "Adamax", "Nadam", "RMSprop", "SGD",
"TFOptimizer", "deserialize", "get", "serialize", "adadelta", "adagrad", "adam",
"adamax", "nadam", "rmsprop", "sgd"
]
