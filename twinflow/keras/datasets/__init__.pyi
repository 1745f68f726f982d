# Made by `make stubs` from the table of the index.
from twinflow.keras.datasets import boston_housing as boston_housing
from twinflow.keras.datasets import cifar10 as cifar10
from twinflow.keras.datasets import cifar100 as cifar100
from twinflow.keras.datasets import fashion_mnist as fashion_mnist
from twinflow.keras.datasets import imdb as imdb
from twinflow.keras.datasets import mnist as mnist
from twinflow.keras.datasets import reuters as reuters

__all__ = [
"boston_housing", "cifar10", "cifar100", "fashion_mnist", "imdb", "mnist", "reuters"
]
