"""Datasets whose elements are chosen from several others."""

from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.data import structure as nested
from twinflow.data.dataset import Dataset
from twinflow.data.pipeline import interleaving, stateful_stages
from twinflow.data.pipeline.stages import Staged
from twinflow.data.structure import Structure
from twinflow.data.transforms import is_dataset
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.random.streams import get_seed

_SCALAR = Structure(None, [dtypes.int64], [()])


def choose_from_datasets(datasets: Any, choice_dataset: Any) -> Dataset:
    """Elements of the datasets that int64 scalars of another one choose.

    Raises:
        TypeError: the choices are no int64 scalars, or elements differ in form.
    """
    if choice_dataset.structure.types != (dtypes.int64,):
        raise TypeError(
            "`choice_dataset` must be a dataset of scalar `tf.int64` tensors."
        )
    return _chosen(datasets, choice_dataset)


def _chosen(datasets, choices):
    first = datasets[0].structure
    shapes = first.shapes
    for d in datasets[1:]:
        same = nested.same_form(first.template, d.structure.template)
        if not same or d.structure.types != first.types:
            raise TypeError(
                "All datasets must have the same type and class. Got "
                f"{first.output_types} and {d.output_types}"
            )
        shapes = list(map(nested.merged, shapes, d.structure.shapes))

    def start(env):
        return interleaving.chosen([d.start(env) for d in datasets], choices.start(env))

    inputs = [t for d in (*datasets, choices) for t in d.inputs]
    return Dataset("ChooseDataset", first.with_shapes(shapes), start, inputs)


def sample_from_datasets(
    datasets: Any, weights: Any = None, seed: int | None = None
) -> Dataset:
    """Elements of the datasets at random.

    Args:
        weights: how likely each is: float[n], or a dataset of such; alike by default.
        seed: an int that makes the choices reproducible.
    """
    count, seeds = len(datasets), get_seed(seed)
    if is_dataset(weights):
        source = weights
    else:
        even = np.full(count, 1 / count)
        weights = even if weights is None else _checked_weights(weights, count)
        source = Dataset.from_tensors(weights).repeat()

    def start(env):
        weights = source.start(env)
        return lambda: Staged(stateful_stages.Draws(weights(), seeds))

    return _chosen(datasets, Dataset("Choices", _SCALAR, start, source.inputs))


def _checked_weights(weights, count):
    found = convert_to_tensor(weights, name="weights")
    if found.dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError(
            "`weights` must be convertible to a tensor of `tf.float32` or `tf.float64` "
            "elements."
        )
    if not found.shape.is_compatible_with([count]):
        raise ValueError("`weights` must be a vector of length `len(datasets)`.")
    return weights
