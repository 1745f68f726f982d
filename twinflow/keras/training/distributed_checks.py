"""What models that train on several devices take, and what they refuse as 1.12 did."""

from typing import Any

import numpy as np

from twinflow.base import nest
from twinflow.data.dataset import Dataset
from twinflow.data.iterators.handles import EagerIterator, Iterator
from twinflow.keras.callbacks.standard import LearningRateScheduler, ReduceLROnPlateau
from twinflow.keras.callbacks.tensorboard import TensorBoard
from twinflow.keras.optimizers.algorithms import TFOptimizer
from twinflow.train.optimizer import Optimizer


def check_compile(
    strategy: Any, optimizer: Any, sample_weight_mode: Any, weighted_metrics: Any,
    target_tensors: Any, in_scope: bool,
) -> None:  # fmt: skip
    """Refuse what `compile` does not take beside a strategy.

    Args:
        strategy, optimizer and so on: see Model.compile.
        in_scope: whether it is called in `strategy.scope()`, as in 1.14, which takes
            Keras's own optimizers.
    Raises:
        ValueError: this is no strategy, or there are `target_tensors`.
        NotImplementedError: another argument is not taken.
    """
    if not hasattr(strategy, "call_for_each_tower"):
        raise ValueError(
            "`distribute` must be a strategy such as tf.contrib.distribute."
            f"MirroredStrategy, got {strategy!r}."
        )
    if not in_scope and not isinstance(optimizer, Optimizer | TFOptimizer):
        raise NotImplementedError(
            f"optimizer must be an instance of tf.train.Optimizer, not a "
            f"{type(optimizer)}"
        )
    if sample_weight_mode:
        raise NotImplementedError(
            "sample_weight_mode is not supported with DistributionStrategy."
        )
    if weighted_metrics:
        raise NotImplementedError(
            "weighted_metrics is not supported with DistributionStrategy."
        )
    if target_tensors:
        raise ValueError("target_tensors is not supported with DistributionStrategy.")


def check_inputs(x: Any, y: Any) -> None:
    """Refuse data that are neither a dataset nor an array.

    Raises:
        ValueError: they are lists, dicts, iterators or something else.
    """
    if isinstance(x, list) or isinstance(y, list):
        raise ValueError(
            "DistributionStrategy does not support lists of numpyarrays. You must pass "
            "a Dataset object or a numpy array as input."
        )
    if isinstance(x, dict) or isinstance(y, dict):
        raise ValueError(
            "DistributionStrategy does not support inputs of type dict. You must pass "
            "a Dataset object or a numpy array as input."
        )
    if isinstance(x, Iterator | EagerIterator):
        raise ValueError(
            "DistributionStrategy does not support inputs of type Iterator. You must "
            "pass a Dataset object or a numpy array as input."
        )
    if not isinstance(x, Dataset | np.ndarray):
        raise ValueError(
            "A model that is compiled with `distribute` takes a tf.data.Dataset or a "
            f"NumPy array, got {x!r}."
        )


def check_weights(model: Any, sample_weight: Any, class_weight: Any = None) -> None:
    """Refuse weights of samples and classes, unless it was compiled in the scope.

    Raises:
        NotImplementedError: there are some.
    """
    if model.__dict__["_whole_batches"]:
        return
    if sample_weight is not None:
        raise NotImplementedError(
            "`sample_weight` is currently not supported when using "
            "DistributionStrategy."
        )
    if class_weight:
        raise NotImplementedError(
            "`class_weight` is currently not supported when using DistributionStrategy."
        )


def check_callbacks(callbacks: Any) -> None:
    """Refuse callbacks that need what only the model of one device has.

    Raises:
        ValueError: there is one.
    """
    for callback in callbacks or []:
        for kind in (LearningRateScheduler, ReduceLROnPlateau):
            if isinstance(callback, kind):
                raise ValueError(
                    f"{kind.__name__} callback is not supported with "
                    "DistributionStrategy."
                )
        if isinstance(callback, TensorBoard):
            for name in ("histogram_freq", "write_grads"):
                if getattr(callback, name):
                    raise ValueError(
                        f"{name} in the TensorBoard callback is not supported when "
                        "using DistributionStrategy."
                    )


def check_on_one_device(model: Any, method: str) -> None:
    """Refuse a method for a model that is compiled with a strategy.

    Raises:
        NotImplementedError: it is.
    """
    if model.__dict__.get("_distribution_strategy") is not None:
        raise NotImplementedError(
            f"`{method}` is not supported for models compiled with "
            "DistributionStrategy."
        )


def steps_of(x: Any, batch_size: Any, towers: int, steps: Any, name: str) -> int:
    """How many steps an epoch has, in each of which every tower gets a batch.

    Args:
        x: a dataset or array. batch_size: of one tower. towers: how many there are.
        steps: what was given. name: of that argument, for errors.
    Raises:
        ValueError: an array is too small, or `steps` is not given for a dataset.
    """
    if steps:
        return steps
    if not isinstance(x, np.ndarray):
        raise ValueError(
            "When using DistributionStrategy, you should specify the "
            f"`{name}` argument."
        )
    batches = x.shape[0] // (batch_size or 32)
    if not batches:
        raise ValueError(
            "Please specify a batch_size that is smaller thanthe number of input "
            f"samples {x.shape[0]}."
        )
    if batches < towers:
        raise ValueError(
            f"The number of batches {batches} is smaller than the number of towers "
            f"{towers} used for DistributionStrategy. "
        )
    return batches // towers


def part_of_batch(batch_size: int, towers: int) -> int:
    """The size of the part of a batch that a tower gets.

    Raises:
        ValueError: the parts would not be alike.
    """
    if batch_size % towers:
        raise ValueError(
            f"The `batch_size` argument ({batch_size}) must be divisible by number of "
            f"replicas ({towers})"
        )
    return batch_size // towers


def first_of_towers(strategy: Any, element: Any) -> list:
    """The part of the first tower of the tensors of an element.

    Args:
        strategy: the DistributionStrategy. element: a nest of values by device.
    Raises:
        ValueError: the tensors of the towers are not of one shape and dtype, or are
            no tensors.
    """
    found = []
    for value in nest.flatten(element):
        parts = strategy.unwrap(value)
        for part in parts:
            if not hasattr(part, "get_shape"):
                raise ValueError(
                    "Dataset input to the model should be tensors instead they are of "
                    f"type {type(part)}"
                )
        if len({str(p.get_shape()) for p in parts}) > 1:
            raise ValueError(
                "Input tensor shapes do not match for distributed tensor inputs "
                f"{value}"
            )
        if len({p.dtype for p in parts}) > 1:
            raise ValueError(
                "Input tensor dtypes do not match for distributed tensor inputs "
                f"{value}"
            )
        found.append(parts[0])
    return found
