"""Stochastic dual coordinate ascent: the ops of linear models with convex losses."""

import threading
import zlib
from typing import Any, NamedTuple

import numpy as np

from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.native import fast as _fast
from twinflow.base.op import InferError, define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.fingerprint128 import farm128
from twinflow.ops.variables.sdca_losses import LOSSES, converted

_STATE = 4
_RANDOM, _SEEDING = np.random.RandomState(0), threading.Lock()  # a new one takes 100 us


class _Examples(NamedTuple):
    """What examples hold: features[starts[i]:starts[i + 1]], and rows of `dense`.

    `weights` are those of all sparse features, then of the dense ones; `places` say
    which weight a value of an example belongs to.
    """

    starts: np.ndarray
    places: np.ndarray
    values: np.ndarray
    dense: np.ndarray
    weights: np.ndarray
    sparse: int

    @property
    def norms(self) -> np.ndarray:
        """float64[examples], the sums of squares."""
        below = np.concatenate([[0.0], np.cumsum(np.square(self.values, dtype="f8"))])
        rows = np.einsum("ij,ij->i", self.dense, self.dense, dtype=np.float64)
        return below[self.starts[1:]] - below[self.starts[:-1]] + rows

    def products(self, weights: np.ndarray) -> np.ndarray:
        """float64[examples], what weights predict."""
        parts = self.values * weights[self.places]
        below = np.concatenate([[0.0], np.cumsum(parts, dtype=np.float64)])
        found = below[self.starts[1:]] - below[self.starts[:-1]]
        return found + self.dense @ weights[self.sparse :].astype(np.float64)


def _places(wanted, ids):
    """Where feature numbers stand among those that have weights."""
    order = np.argsort(ids, kind="stable")
    at = np.minimum(np.searchsorted(ids, wanted, sorter=order), len(ids) - 1)
    found = order[at] if len(ids) else np.zeros(len(wanted), np.int64)
    if len(wanted) and (not len(ids) or (ids[found] != wanted).any()):
        raise invalid("Found sparse feature indices out of valid range.")
    return found


def _gathered(count, rows, ids, values, dense, known, sparse_weights, dense_weights):
    """The examples of an op's inputs."""
    places, numbers, start = [], [], 0
    for i, (wanted, own) in enumerate(zip(ids, known)):
        places.append(start + _places(wanted, own))
        given = values[i] if i < len(values) else np.ones(len(wanted), np.float32)
        numbers.append(given)
        start += len(own)
    row = np.concatenate([*rows, np.zeros(0, np.int64)])
    if row.size and not 0 <= row.min() <= row.max() < count:
        raise invalid(f"An example index is out of range: there are {count} examples.")
    order = np.argsort(row, kind="stable")
    flat_weights = [np.ravel(w) for w in (*sparse_weights, *dense_weights)]
    columns = [np.reshape(d, (count, -1)) for d in dense]
    none = np.zeros((count, 0), np.float32)
    return _Examples(
        np.searchsorted(row[order], np.arange(count + 1)),
        np.concatenate([*places, np.zeros(0, np.int64)])[order],
        np.concatenate([*numbers, np.zeros(0, np.float32)])[order],
        np.ascontiguousarray(np.concatenate([none, *columns], 1), np.float32),
        np.concatenate([np.zeros(0, np.float32), *flat_weights]),
        start,
    )


def _shrunk(weights, by):
    return np.sign(weights) * np.maximum(np.abs(weights) - by, 0)


def _order(examples, labels, importance, norms, duals, changes, options):
    """Which examples a pass looks at, one after the other: chance that repeats itself.

    The adaptive order takes examples as often as their duals are far from the best.
    """
    adaptive = options[-1]
    seed, chance = zlib.crc32(duals.tobytes()), None
    if adaptive:
        chance = _chances(examples, labels, importance, norms, duals, changes, options)
    with _SEEDING:
        _RANDOM.seed(seed)
        if chance is None or not chance[-1] > 0:
            return _RANDOM.permutation(len(labels))
        drawn = _RANDOM.random_sample(len(labels))
    found = chance.searchsorted(drawn * chance[-1], side="right")
    return np.minimum(found, len(labels) - 1)  # a product may round up


def _chances(examples, labels, importance, norms, duals, changes, options):
    """Their sums so far: float64[examples]."""
    loss, (by, l2, parts), _ = options
    wx = examples.products(_shrunk(examples.weights + parts * changes, by))
    chance = importance * np.abs(duals + loss.slope(labels, wx))
    chance *= np.sqrt(norms + l2 * loss.smoothness)
    return chance.cumsum()


def _steps(loss, order, examples, labels, importance, norms, changes, state, numbers):
    """The steps of native/sdca.c, which change `changes` and `state`."""
    by, l2, parts = numbers
    for i in order:
        some = slice(examples.starts[i], examples.starts[i + 1])
        at, values, row = (
            examples.places[some],
            examples.values[some],
            examples.dense[i],
        )
        now = _shrunk(examples.weights + parts * changes, by)
        wx = now[at] @ values.astype(np.float64) + now[examples.sparse :] @ row
        dual, weight = float(state[i, 0]), float(importance[i])
        step = parts * norms[i] / l2 * weight
        better = float(loss.better(float(labels[i]), wx, step, dual))
        change = (better - dual) * weight / l2
        np.add.at(changes, at, (change * values).astype(np.float32))
        changes[examples.sparse :] += (change * row).astype(np.float32)
        state[i, 0] = better


def _optimized(
    rows, ids, values, dense, importance, labels, known, sparse_weights, dense_weights,
    state, loss_type, adaptative, l1, l2, num_loss_partitions, num_inner_iterations,
):  # fmt: skip
    count = len(labels)
    if np.shape(state) != (count, _STATE):
        raise invalid(f"example_state_data: expected [{count}, {_STATE}], got "
                      f"{list(np.shape(state))}.")  # fmt: skip
    loss, labels = LOSSES[loss_type], converted(np.ascontiguousarray(labels), loss_type)
    examples = _gathered(
        count, rows, ids, values, dense, known, sparse_weights, dense_weights
    )
    importance = np.ascontiguousarray(importance)
    numbers, norms = (l1 / l2, l2, float(num_loss_partitions)), examples.norms
    new, changes = np.array(state, np.float32), np.zeros_like(examples.weights)
    duals = new[:, 0].copy()
    for _ in range(num_inner_iterations):
        order = _order(examples, labels, importance, norms, new[:, 0], changes,
                       (loss, numbers, adaptative))  # fmt: skip
        if _fast is None:
            _steps(
                loss, order, examples, labels, importance, norms, changes, new, numbers
            )
        else:
            sizes = count, examples.sparse, examples.dense.shape[1]
            _fast.sdca(
                loss.number, sizes, numbers, order, *examples[:5], labels, importance,
                norms, changes, new,
            )  # fmt: skip
    new[:, 1] = importance * loss.primal(
        labels, examples.products(_shrunk(examples.weights, numbers[0]))
    )
    with np.errstate(over="ignore"):
        new[:, 2] = importance * loss.conjugate(labels, duals)
    new[:, 3] = importance
    return new, *_cut(changes, (*sparse_weights, *dense_weights))


def _cut(changes, weights):
    """The changes in the shapes of the weights."""
    ends = np.cumsum([np.size(w) for w in weights])[:-1]
    parts = np.split(changes, ends) if weights else []
    return [c.reshape(np.shape(w)) for c, w in zip(parts, weights)]


def _infer_optimizer(*inputs, **attrs):
    sparse, dense, state = inputs[-3:]
    return [state._shape, *(w._shape for w in sparse), *(w._shape for w in dense)]


SdcaOptimizer = define("SdcaOptimizer", infer=_infer_optimizer, host=_optimized)


def _infer_fprint(input):
    s = input._shape
    if s is not None and len(s) != 1:
        raise InferError(f"Shape must be rank 1 but is rank {len(s)}")
    return (None if s is None else s[0], 2)


SdcaFprint = define(
    "SdcaFprint",
    infer=_infer_fprint,
    host=lambda input: farm128(input).view(np.int64),
)


def _shrink(weights, l1, l2):
    for cell in weights:
        value = cell.read()
        cell.write(_shrunk(value, value.dtype.type(l1 / l2)))
    return ()


SdcaShrinkL1 = define(
    "SdcaShrinkL1", infer=lambda weights, l1, l2: [], host=_shrink, stateful=True
)


def sdca_fprint(input: TensorValue, name: str | None = None) -> Tensor:
    """128 bits of each string: FarmHash's Fingerprint128.

    Args:
        input: string[n]. name: the name of the node in a graph.
    Returns:
        int64[n, 2]: the low and the high half.
    Example:
        tf.train.sdca_fprint(["a"]).shape  # (1, 2)
    """
    return apply(SdcaFprint, (input,), {}, name)


def sdca_shrink_l1(
    weights: list[Any], l1: float, l2: float, name: str | None = None
) -> Any:
    """Move the values of variables towards 0 by l1 / l2, those within that to 0.

    Args:
        weights: variables that are references, float32. l1, l2: the regularisation.
        name: the name of the node in a graph.
    """
    return apply(SdcaShrinkL1, (weights,), {"l1": float(l1), "l2": float(l2)}, name)


def sdca_optimizer(
    sparse_example_indices: list[Any], sparse_feature_indices: list[Any],
    sparse_feature_values: list[Any], dense_features: list[Any],
    example_weights: TensorValue,
    example_labels: TensorValue, sparse_indices: list[Any], sparse_weights: list[Any],
    dense_weights: list[Any], example_state_data: TensorValue, loss_type: str,
    l1: float, l2: float, num_loss_partitions: int, num_inner_iterations: int,
    adaptative: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """One pass of stochastic dual coordinate ascent over a batch of examples.

    Args:
        sparse_example_indices: for each group of sparse features int64[values], which
            example a value is of. sparse_feature_indices: int64[values], its feature.
        sparse_feature_values: float32[values] of the first groups; 1 in the others.
        dense_features: a list of float32[examples, ...].
        example_weights, example_labels: float32[examples].
        sparse_indices: for each group int64[n], the features that have weights.
        sparse_weights: for each group float32[n]. dense_weights: a list of float32.
        example_state_data: float32[examples, 4]: the dual variable, the losses of the
            weights and of the dual variable before, the weight of the example.
        loss_type: "logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss" or
            "poisson_loss". l1, l2: the regularisation, l2 > 0.
        num_loss_partitions: how many such passes run at a time.
        num_inner_iterations: how often the batch is gone through.
        adaptative: take those examples more often whose loss changes more.
        name: the name of the node in a graph.
    Returns:
        out_example_state_data, and two lists: what to add to the weights.
    Raises:
        InvalidArgumentError: a label that the loss has not, or an unknown feature.
    """
    inputs = (
        sparse_example_indices, sparse_feature_indices, sparse_feature_values,
        dense_features, example_weights, example_labels, sparse_indices, sparse_weights,
        dense_weights, example_state_data,
    )  # fmt: skip
    found = apply(SdcaOptimizer, inputs, {
        "loss_type": loss_type, "adaptative": adaptative, "l1": float(l1),
        "l2": float(l2), "num_loss_partitions": num_loss_partitions,
        "num_inner_iterations": num_inner_iterations,
    }, name)  # fmt: skip
    count = len(sparse_weights) + 1
    return SdcaOutputs(found[0], list(found[1:count]), list(found[count:]))


class SdcaOutputs(NamedTuple):
    """What `sdca_optimizer` gives."""

    out_example_state_data: Tensor
    out_delta_sparse_weights: list[Any]
    out_delta_dense_weights: list[Any]
