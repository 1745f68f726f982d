"""Gradients averaged over all processes: of optimizers, and of tapes."""

from typing import Any

from twinflow.base import nest
from twinflow.compat.horovod.compression import Compression
from twinflow.compat.horovod.values import reduced
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.core.index import IndexedSlices
from twinflow.train.optimizer import Optimizer


class Averaging:
    """How gradients are averaged.

    Args:
        compression: how they travel. sparse_as_dense: whether IndexedSlices travel as
            tensors.
    """

    def __init__(self, compression: Any, sparse_as_dense: bool) -> None:
        self._compression, self._sparse_as_dense = compression, sparse_as_dense

    def __call__(self, grads: Any) -> list:
        """Gradients, or None, over all processes, as few messages in one order."""
        grads = [self._dense(g) for g in grads]
        return reduced(grads, True, self._compression)

    def _dense(self, grad: Any) -> Any:
        if self._sparse_as_dense and isinstance(grad, IndexedSlices):
            return convert_to_tensor(grad)
        return grad


class DistributedOptimizer(Optimizer):
    """An optimizer whose gradients are the means of all processes.

    Args:
        optimizer: the tf.train.Optimizer that updates.
        name: its name; "Distributed" and that of its class if not given.
        use_locking: accepted. device_dense, device_sparse: accepted.
        compression: `Compression.none` or `Compression.fp16`.
        sparse_as_dense: whether gradients of embeddings travel as tensors.
    Example:
        import twinflow.compat.horovod.tensorflow as hvd
        hvd.init()
        w = tfe.Variable(3.0)
        optimizer = tf.train.GradientDescentOptimizer(0.25 * hvd.size())
        hvd.DistributedOptimizer(optimizer).minimize(lambda: w * w)
        w.numpy()  # 1.5
    """

    def __init__(
        self, optimizer: Optimizer, name: str | None = None, use_locking: bool = False,
        device_dense: str = "", device_sparse: str = "",
        compression: Any = Compression.none, sparse_as_dense: bool = False,
    ) -> None:  # fmt: skip
        if not isinstance(optimizer, Optimizer):
            raise TypeError(
                "horovod.tensorflow's DistributedOptimizer takes an optimizer of "
                f"tf.train, got {type(optimizer).__name__}; that of horovod.keras "
                "takes those of Keras."
            )
        super().__init__(use_locking, name or f"Distributed{type(optimizer).__name__}")
        self._optimizer = optimizer
        self._slots, self._non_slots = optimizer._slots, optimizer._non_slots
        self._average = Averaging(compression, sparse_as_dense)

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple]:
        """As that of the optimizer; the gradients are the means of all processes."""
        return self.over_processes(self._optimizer.compute_gradients(*args, **kwargs))

    def over_processes(self, grads_and_vars: Any) -> list[tuple]:
        """Pairs of gradient and variable, with the means of all processes."""
        pairs = list(grads_and_vars)
        means = self._average([g for g, _ in pairs])
        return [(g, v) for g, (_, v) in zip(means, pairs, strict=True)]

    def apply_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """As that of the optimizer."""
        return self._optimizer.apply_gradients(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """As that of the optimizer."""
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """As that of the optimizer."""
        return self._optimizer.get_slot_names(*args, **kwargs)

    def variables(self) -> Any:
        """As those of the optimizer."""
        return self._optimizer.variables()

    def _make_slots(self, mode: Any, variables: Any) -> None:
        self._optimizer._make_slots(mode, variables)


class DistributedGradientTape:
    """A tape whose gradients are the means of all processes.

    Args:
        gradtape: the tf.GradientTape. device_dense, device_sparse: accepted.
        compression, sparse_as_dense: see DistributedOptimizer.
    """

    def __init__(
        self, gradtape: Any, device_dense: str = "", device_sparse: str = "",
        compression: Any = Compression.none, sparse_as_dense: bool = False,
    ) -> None:  # fmt: skip
        self._tape = gradtape
        self._average = Averaging(compression, sparse_as_dense)

    def __enter__(self) -> "DistributedGradientTape":
        self._tape.__enter__()
        return self

    def __exit__(self, *exc: Any) -> None:
        self._tape.__exit__(*exc)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tape, name)

    def gradient(self, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
        """As that of the tape; the gradients are the means of all processes."""
        found = self._tape.gradient(target, sources, *args, **kwargs)
        means = self._average(nest.flatten(found))
        return nest.pack_sequence_as(found, means)
