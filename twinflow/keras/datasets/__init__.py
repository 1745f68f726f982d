"""tf.keras.datasets: the usual data sets, from files in ~/.keras/datasets."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.keras.datasets.boston_housing: boston_housing=*
twinflow.keras.datasets.cifar10: cifar10=*
twinflow.keras.datasets.cifar100: cifar100=*
twinflow.keras.datasets.fashion_mnist: fashion_mnist=*
twinflow.keras.datasets.imdb: imdb=*
twinflow.keras.datasets.mnist: mnist=*
twinflow.keras.datasets.reuters: reuters=*
""",
)
