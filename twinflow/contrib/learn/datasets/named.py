"""Sets of examples by name."""

from typing import Any

from twinflow.contrib.learn.datasets.digits import load_mnist
from twinflow.contrib.learn.datasets.synthetic import circles, spirals
from twinflow.contrib.learn.datasets.tables import Dataset, load_boston, load_iris
from twinflow.contrib.learn.datasets.text_datasets import load_dbpedia

DATASETS: dict[str, Any] = {
    "iris": load_iris,
    "boston": load_boston,
    "mnist": load_mnist,
    "dbpedia": load_dbpedia,
}
SYNTHETIC: dict[str, Any] = {"circles": circles, "spirals": spirals}


def load_dataset(
    name: str, size: Any = "small", test_with_fake_data: bool = False
) -> Any:
    """A set of examples by name.

    Args:
        name: "iris", "boston", "mnist" or "dbpedia".
        size, test_with_fake_data: see `load_dbpedia`; the others have no such choice.
    Returns:
        Dataset, or Datasets of several parts.
    Raises:
        ValueError: no set has this name. NotFoundError: a file is missing; the text
            says where to put it.
    Example:
        iris = tf.contrib.learn.datasets.load_dataset("iris")
        iris.target[:3]  # [0, 0, 0]
    """
    if name not in DATASETS:
        raise ValueError(f"Name of dataset is not found: {name}")
    if name == "dbpedia":
        return load_dbpedia(size, test_with_fake_data)
    return DATASETS[name]()


def make_dataset(
    name: str, n_samples: int = 100, noise: Any = None, seed: Any = 42, *args: Any,
    **kwargs: Any,
) -> Dataset:  # fmt: skip
    """Points in the plane, made for a test of a classifier.

    Args:
        name: "circles" or "spirals". n_samples: how many.
        noise: the standard deviation of what is added. seed: of the random numbers.
        args, kwargs: the others of tf.contrib.learn.datasets.synthetic.NAME.
    Returns:
        Dataset: float64[n_samples, 2] and int32[n_samples].
    Raises:
        ValueError: nothing of this name can be made.
    Example:
        tf.contrib.learn.datasets.make_dataset("circles").data.shape  # (100, 2)
    """
    if name not in SYNTHETIC:
        raise ValueError(f"Synthetic dataset not found or not implemeted: {name}")
    return SYNTHETIC[name](n_samples, noise, seed, *args, **kwargs)
