"""tf.contrib.training: examples taken, or left out, at random."""

from typing import Any

from twinflow.base import dtypes
from twinflow.base.tensor import Tensor
from twinflow.graph.scopes import name_scope
from twinflow.graph.variable_scope import get_local_variable, variable_scope
from twinflow.ops.arrays.gather_batch import sequence_mask
from twinflow.ops.arrays.one_hot import one_hot
from twinflow.ops.core.compare import equal, less, logical_or, not_equal, where
from twinflow.ops.core.constant import (
    cast,
    constant,
    convert_to_tensor,
    identity,
    stop_gradient,
)
from twinflow.ops.core.creation import zeros_like
from twinflow.ops.core.index import gather
from twinflow.ops.core.reduction import reduce_all, reduce_max, reduce_mean, reduce_sum
from twinflow.ops.core.rounding import is_nan
from twinflow.ops.core.shape import expand_dims, shape, squeeze
from twinflow.ops.debugging import checks
from twinflow.ops.debugging.static import assert_integer, with_dependencies
from twinflow.ops.random.draws import random_uniform
from twinflow.ops.random.gamma import random_poisson
from twinflow.ops.variables.creators import Variable
from twinflow.ops.variables.state import assign_add
from twinflow.train.batching import batch, maybe_batch
from twinflow.train.moving_averages import assign_moving_average

_SMOOTHING = 10  # examples of each class that count as seen from the start
_TOLERANCE = 1e-6


def rejection_sample(
    tensors: Any, accept_prob_fn: Any, batch_size: Any, queue_threads: Any = 1,
    enqueue_many: bool = False, prebatch_capacity: Any = 16, prebatch_threads: Any = 1,
    runtime_checks: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """Batches of examples that are accepted with a probability.

    Args:
        tensors: a list of the tensors of an example.
        accept_prob_fn: from that list to float[] in [0, 1].
        batch_size: how many examples. queue_threads: that fill the queue of batches.
        enqueue_many: the tensors hold several examples, along their first axis.
        prebatch_capacity, prebatch_threads: of the queue that takes these apart.
        runtime_checks: check the probability. name: of the scope.
    Returns:
        A list of tensors.
    Example:
        x, y = tf.constant([1.0, 2.0]), tf.random_uniform([])
        xs, ys = tf.contrib.training.rejection_sample([x, y], lambda t: t[1] * 0.9, 16)
        sess = tf.Session()
        threads = tf.train.start_queue_runners(sess)
        sess.run(xs).shape  # (16, 2)
    """
    with variable_scope(name, "rejection_sample", tensors):
        parts = [convert_to_tensor(t) for t in tensors]
        if enqueue_many:
            _check_rows(parts, parts[0])
            parts = _single(parts, prebatch_threads, prebatch_capacity)
        chance = accept_prob_fn(parts)
        if runtime_checks:
            low = checks.assert_less_equal(0.0, chance)
            high = checks.assert_less_equal(chance, 1.0)
            chance = with_dependencies([low, high], chance)
            chance = identity(chance, name="prob_with_checks")
        keep = less(random_uniform([]), chance)
        found = maybe_batch(parts, keep, batch_size, num_threads=queue_threads)
    return found if isinstance(found, list) else [found]


def _single(parts, threads, capacity):
    """The tensors of one example after another."""
    rows = batch(parts, 1, threads, capacity, enqueue_many=True)
    rows = rows if isinstance(rows, list) else [rows]
    return [squeeze(r, [0]) for r in rows]


def _check_rows(parts, first):
    """Refuse tensors with different numbers of rows."""
    for t in parts:
        t.shape.with_rank_at_least(1)[0].assert_is_compatible_with(first.shape[0])


# ---------------------------------------------------------------------- classes
def stratified_sample(
    tensors: Any, labels: Any, target_probs: Any, batch_size: Any,
    init_probs: Any = None, enqueue_many: bool = False, queue_capacity: Any = 16,
    threads_per_queue: Any = 1, name: str | None = None,
) -> Any:  # fmt: skip
    """Batches in which classes are spread as wanted: others are left out at random.

    An example of class i is accepted with (t_i / p_i) / max_j(t_j / p_j), where t is
    the wanted spread and p that of the data.

    Args:
        tensors: a list of the tensors of an example. labels: int32[], its class.
        target_probs: float[classes]: the wanted spread. batch_size: how many examples.
        init_probs: float[classes]: that of the data; learnt on the way if not given.
        enqueue_many: tensors and labels hold several examples, along their first axis.
        queue_capacity, threads_per_queue: of the queues. name: of the scope.
    Returns:
        (a list of tensors, the labels).
    Raises:
        ValueError: the numbers of classes differ.
    Example:
        x, y = tf.constant([1.0, 2.0]), tf.random_uniform([], 0, 2, tf.int32)
        (xs,), ys = tf.contrib.training.stratified_sample([x], y, [0.5, 0.5], 16)
        sess = tf.Session()
        sess.run(tf.global_variables_initializer())
        threads = tf.train.start_queue_runners(sess)
        sess.run(xs).shape  # (16, 2)
    """
    with name_scope(name, "stratified_sample"):
        parts = [convert_to_tensor(t) for t in tensors]
        labels = convert_to_tensor(labels)
        wanted = convert_to_tensor(target_probs, dtypes.float32)
        if not enqueue_many:
            parts = [expand_dims(t, 0) for t in parts]
            labels = expand_dims(labels, 0)
        if init_probs is None:
            wanted.shape.assert_is_fully_defined()
            there = _spread(labels, wanted.shape.num_elements())
        else:
            there = convert_to_tensor(init_probs, dtypes.float32)
        parts, labels, (there, wanted) = verified_input(parts, labels, [there, wanted])
        accept = _acceptance(there, wanted)
        *parts, label = _single([*parts, labels], threads_per_queue, queue_capacity)
        keep = less(random_uniform([]), gather(accept, label))
        *found, label = maybe_batch(
            [*parts, label], keep, batch_size, num_threads=threads_per_queue
        )
    return found, label


def _spread(labels, classes):
    """The share of each class in what was seen so far."""
    counts = Variable(
        constant([_SMOOTHING] * classes, dtypes.int64), trainable=False,
        name="class_count",
    )  # fmt: skip
    more = reduce_sum(one_hot(labels, classes, dtype=dtypes.int64), 0)
    seen = cast(assign_add(counts, more), dtypes.float64)
    return cast(seen / reduce_sum(seen), dtypes.float32)


def verified_input(tensor_list: list, labels: Tensor, probs_list: list) -> tuple:
    """The arguments, checked: rows, their classes, and spreads over the classes.

    Args:
        tensor_list: tensors of as many rows as there are labels. labels: int[rows].
        probs_list: float[classes]: one spread, or those that are there and wanted.
    Raises:
        ValueError: sizes that are known do not fit.
        InvalidArgumentError: the values do not.
    """
    for probs in probs_list:
        probs.shape.assert_is_fully_defined()
        probs.shape.assert_has_rank(1)
    if any(probs.shape != probs_list[0].shape for probs in probs_list):
        raise ValueError("Probability parameters must have the same length.")
    spreads = [_sums_to_one(probs) for probs in probs_list]
    if len(spreads) == 2:
        spreads = _possible(*spreads)
    classes = spreads[0].shape.num_elements()
    return (*_checked_rows(tensor_list, labels, classes), spreads)


def _possible(there, wanted):
    """Both spreads, where no class is wanted that is not there."""
    possible = reduce_all(logical_or(not_equal(there, 0.0), equal(wanted, 0.0)))
    text = "All classes with zero initial probability must also have zero target "
    check = checks.Assert(possible, [text + "probability: ", there, wanted])
    return [with_dependencies([check], there), wanted]


def _sums_to_one(probs):
    total = reduce_sum(probs)
    tests = [
        checks.assert_non_negative(probs),
        checks.assert_less(total, 1.0 + _TOLERANCE),
        checks.assert_less(1.0 - _TOLERANCE, total),
    ]
    return with_dependencies(tests, probs)


def _checked_rows(parts, labels, classes):
    """Tensors and labels of as many rows; the labels are classes."""
    labels.shape.assert_has_rank(1)
    _check_rows(parts, labels)
    count = shape(labels)[0]
    some = checks.assert_positive(count)
    parts = [
        with_dependencies([some, checks.assert_equal(shape(t)[0], count)], t)
        for t in parts
    ]
    tests = [
        some, assert_integer(labels), checks.assert_non_negative(labels),
        checks.assert_less(labels, cast(classes, labels.dtype)),
    ]  # fmt: skip
    return parts, with_dependencies(tests, labels)


def _acceptance(there, wanted):
    ratio = wanted / there
    ratio = where(is_nan(ratio), zeros_like(ratio), ratio)
    return ratio / reduce_max(ratio)


# ---------------------------------------------------------------------- rates
def resample_at_rate(
    inputs: Any, rates: Any, scope: Any = None, seed: Any = None,
    back_prop: bool = False,
) -> Any:  # fmt: skip
    """Rows taken as often as a Poisson number says: on average, at their rates.

    Args:
        inputs: a list of tensors[batch, ...]. rates: float[batch].
        scope: of the nodes. seed: makes the numbers reproducible.
        back_prop: let gradients pass to the choice.
    Returns:
        A list of tensors[rows, ...]; there may be no rows.
    """
    with name_scope(scope, "resample_at_rate"):
        rates = convert_to_tensor(rates, name="rates")
        counts = random_poisson(rates, (), rates.dtype, seed=seed)
        rows = repeat_range(cast(counts, dtypes.int32))
        rows = rows if back_prop else stop_gradient(rows)
        return [gather(x, rows) for x in inputs]


def repeat_range(counts: Any, name: str | None = None) -> Tensor:
    """The numbers from 0 on, each so many times: int32[sum of counts].

    Args:
        counts: int[n]. name: of the nodes.
    """
    with name_scope(name, "repeat_range", [counts]):
        return cast(where(sequence_mask(counts))[:, 0], dtypes.int32)


def weighted_resample(
    inputs: Any, weights: Any, overall_rate: Any, scope: Any = None,
    mean_decay: Any = 0.999, seed: Any = None,
) -> Any:  # fmt: skip
    """Rows taken at rates in proportion to weights.

    Args:
        inputs: a list of tensors[batch, ...]. weights: float[batch].
        overall_rate: the mean rate. scope: of the nodes.
        mean_decay: of the moving mean of the weights.
        seed: makes the numbers reproducible.
    Returns:
        (a list of tensors[rows, ...], float[rows]: the rate of each).
    """
    weights = convert_to_tensor(weights)
    with name_scope(scope, "weighted_resample") as full:
        with variable_scope(scope, "estimate_mean", inputs):
            known = get_local_variable(
                "estimated_mean", initializer=cast(0, weights.dtype),
                dtype=weights.dtype,
            )  # fmt: skip
            mean = assign_moving_average(known, reduce_mean(weights), mean_decay)
        rates = weights * overall_rate / mean
        rates, *found = resample_at_rate([rates, *inputs], rates, full, seed)
    return found, rates
