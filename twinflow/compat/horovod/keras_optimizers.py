"""Keras's optimizers with gradients averaged over all processes."""

from typing import Any

from twinflow.compat.horovod.compression import Compression
from twinflow.compat.horovod.optimizers import Averaging
from twinflow.compat.horovod.optimizers import DistributedOptimizer as OfTrain
from twinflow.keras.optimizers import algorithms
from twinflow.keras.optimizers.base import Optimizer
from twinflow.keras.saving import whole_models


class _Averaged:
    """What a class of Keras's optimizers becomes: its steps take the means."""

    average: Averaging

    def get_gradients(self, loss: Any, params: Any) -> list:
        """The means of all processes."""
        return self.average(super().get_gradients(loss, params))  # type: ignore[misc]

    def apply_gradients(self, grads_and_vars: Any) -> None:
        """Make one step in eager mode."""
        pairs = list(grads_and_vars)
        means = [g if g is None else self._clipped(g) for g, _ in pairs]  # type: ignore[attr-defined]
        means = self.average(means)
        variables = [v for _, v in pairs]
        super().apply_gradients(zip(means, variables, strict=True))  # type: ignore[misc]


def distributed(kind: type, average: Averaging) -> type:
    """A class of Keras's optimizers whose gradients are averaged; of the same name."""
    return type(kind.__name__, (_Averaged, kind), {"average": average})


def DistributedOptimizer(
    optimizer: Any, name: str | None = None, device_dense: str = "",
    device_sparse: str = "", compression: Any = Compression.none,
    sparse_as_dense: bool = False,
) -> Any:  # fmt: skip
    """An optimizer like another, whose gradients are the means of all processes.

    Args:
        optimizer: one of Keras; one of tf.train becomes that of horovod.tensorflow.
        name, device_dense, device_sparse: accepted.
        compression: `Compression.none` or `Compression.fp16`.
        sparse_as_dense: whether gradients of embeddings travel as tensors.
    Raises:
        TypeError: it is something else.
    """
    if not isinstance(optimizer, Optimizer) or isinstance(
        optimizer, algorithms.TFOptimizer
    ):
        inner = getattr(optimizer, "optimizer", optimizer)
        return OfTrain(
            inner, name, compression=compression, sparse_as_dense=sparse_as_dense
        )
    average = Averaging(compression, sparse_as_dense)
    if isinstance(optimizer, _Averaged):
        raise TypeError("This optimizer is one of Horovod's already.")
    return distributed(type(optimizer), average).from_config(optimizer.get_config())  # type: ignore[attr-defined]


def load_model(
    filepath: Any, custom_optimizers: Any = None, custom_objects: Any = None,
    compression: Any = Compression.none,
) -> Any:  # fmt: skip
    """A model from a file, its optimizer as by `DistributedOptimizer`.

    Args:
        filepath: the path. custom_optimizers: classes beside Keras's own.
        custom_objects: dict from names to classes and functions.
        compression: how gradients travel.
    """
    average, kinds = Averaging(compression, False), {}
    own = [k for k in vars(algorithms).values() if isinstance(k, type)]
    for kind in [*own, *(custom_optimizers or ())]:
        if issubclass(kind, Optimizer) and kind is not algorithms.TFOptimizer:
            made = distributed(kind, average)
            kinds.update({kind.__name__: made, kind.__name__.lower(): made})
    return whole_models.load_model(filepath, {**kinds, **(custom_objects or {})})
