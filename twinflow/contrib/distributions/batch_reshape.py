"""Batches of distributions in another shape."""

from operator import attrgetter
from typing import Any

import numpy as np

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.distributions.distribution import Distribution
from twinflow.distributions.known import constant_value
from twinflow.distributions.sample_shapes import as_event
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.compare import equal, where
from twinflow.ops.core.constant import cast, convert_to_tensor
from twinflow.ops.core.elementwise import maximum
from twinflow.ops.core.joining import concat
from twinflow.ops.core.reduction import reduce_prod, reduce_sum
from twinflow.ops.core.shape import reshape, shape
from twinflow.ops.core.size import size
from twinflow.ops.debugging.checks import (
    assert_equal,
    assert_greater_equal,
    assert_less_equal,
)
from twinflow.ops.debugging.static import assert_rank

_NO_BROADCAST = "Broadcasting is not supported; "


class BatchReshape(Distribution):
    """A batch of distributions of another shape.

    Args:
        distribution: the batch. batch_shape: int32[rank]; one size may be -1.
        validate_args: whether to check shapes that are not known yet.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops; by default BatchReshape and the name of the batch.
    Raises:
        ValueError: it is no shape of as many distributions.
        NotImplementedError: values of methods would have to be broadcast.
    Example:
        normal = tf.distributions.Normal([0.0, 1.0, 2.0, 3.0], 1.0)
        d = tf.contrib.distributions.BatchReshape(normal, [2, 2])
        d.mean()  # [[0.0, 1.0], [2.0, 3.0]]
    """

    def __init__(
        self, distribution: Any, batch_shape: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str | None = None,
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        name = name or "BatchReshape" + distribution.name
        with name_scope(name, values=[batch_shape]) as name:
            self._batch_shape_unexpanded = convert_to_tensor(
                batch_shape, dtype=dtypes.int32, name="batch_shape"
            )
            self._distribution = distribution
            self._batch_shape_, self._batch_shape_static, checks = _expanded(
                distribution, self._batch_shape_unexpanded, validate_args
            )
            self._runtime_assertions = checks
            super().__init__(
                distribution.dtype, distribution.reparameterization_type, validate_args,
                allow_nan_stats, parameters,
                [self._batch_shape_unexpanded, *distribution._graph_parents], name,
            )  # fmt: skip

    distribution = property(attrgetter("_distribution"), doc="The batch.")

    def _batch_shape_tensor(self):
        with control_dependencies(self._runtime_assertions):
            return convert_to_tensor(self._batch_shape_)

    def _batch_shape(self):
        return self._batch_shape_static

    def _event_shape_tensor(self):
        with control_dependencies(self._runtime_assertions):
            return self.distribution.event_shape_tensor()

    def _event_shape(self):
        return self.distribution.event_shape

    def _sample_n(self, n, seed=None, **kwargs):
        with control_dependencies(self._runtime_assertions):
            x = self.distribution.sample(sample_shape=n, seed=seed, **kwargs)
            parts = [[n], self._batch_shape_unexpanded, self.event_shape_tensor()]
            return reshape(x, concat(parts, axis=0))

    def _of_value(self, method, through, other, value, name, kwargs):
        """What the batch says of a value, as far as it says it itself."""
        with self._name_scope(name, values=[value]):
            value = as_event(value, self.dtype)
            found = getattr(self.distribution, method.removeprefix("_"))
            return self._call_reshape_input_output(found, value, **kwargs)

    def _entropy(self):
        return self._call_and_reshape_output(self.distribution.entropy, [])

    def _mean(self):
        return self._call_and_reshape_output(self.distribution.mean)

    def _mode(self):
        return self._call_and_reshape_output(self.distribution.mode)

    def _stddev(self):
        return self._call_and_reshape_output(self.distribution.stddev)

    def _variance(self):
        return self._call_and_reshape_output(self.distribution.variance)

    def _covariance(self):
        event = self.event_shape_tensor()
        return self._call_and_reshape_output(
            self.distribution.covariance, concat([event, event], 0)
        )

    def _call_reshape_input_output(self, function, x, **kwargs):
        """A function of values [sample..., batch..., event...] of the other shape."""
        with control_dependencies(self._runtime_assertions + self._value_checks(x)):
            events = [self.event_shape_tensor(), self.batch_shape_tensor()]
            cut = size(shape(x)) - size(events[0]) - size(events[1])
            sample = shape(x)[:cut]
            known = self._known_sample(x)
            own = [sample, self.distribution.batch_shape_tensor(), events[0]]
            found = function(reshape(x, concat(own, axis=0)), **kwargs)
            found = reshape(found, concat([sample, self._batch_shape_unexpanded], 0))
            if known is not None and found.symbolic:
                found.set_shape(known.concatenate(self.batch_shape))
            return found

    def _known_sample(self, x):
        ndims = x.shape.ndims, self.batch_shape.ndims, self.event_shape.ndims
        if None in ndims:
            return None
        return x.shape[: ndims[0] - ndims[1] - ndims[2]]

    def _call_and_reshape_output(self, function, event_shape=None):
        with control_dependencies(self._runtime_assertions):
            event = self.event_shape_tensor() if event_shape is None else event_shape
            parts = [self._batch_shape_unexpanded, cast(event, dtypes.int32)]
            found = reshape(function(), concat(parts, axis=0))
            if event_shape is None and found.symbolic:
                found.set_shape(self.batch_shape.concatenate(self.event_shape))
            elif found.symbolic and isinstance(event_shape, list):
                found.set_shape(self.batch_shape)
            return found

    def _value_checks(self, x):
        """What fails where a value would be broadcast: it is reshaped instead."""
        ndims, axes = x.shape.ndims, self.event_shape.ndims
        wanted = None
        if None not in (axes, self.batch_shape.ndims):
            wanted = axes + self.batch_shape.ndims
        if None not in (ndims, wanted):
            if ndims < wanted:
                raise NotImplementedError(
                    f"{_NO_BROADCAST}too few batch and event dims (expected at least "
                    f"{wanted}, saw {ndims})."
                )
            own = x.shape[ndims - wanted :]
            whole = self.batch_shape.concatenate(self.event_shape)
            if own.is_fully_defined() and whole.is_fully_defined():
                if own != whole:
                    raise NotImplementedError(
                        f"{_NO_BROADCAST}unexpected batch and event shape (expected "
                        f"{whole}, saw {own})."
                    )
                return []
        if not self.validate_args:
            return []
        whole = concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        n, have = size(whole), size(shape(x))
        text = f"{_NO_BROADCAST}too few batch and event dims."
        enough = assert_greater_equal(have, n, message=text)
        with control_dependencies([enough]):
            text = f"{_NO_BROADCAST}unexpected batch and event shape."
            start = maximum(have - n, 0)
            return [enough, assert_equal(shape(x)[start:], whole, message=text)]


def _expanded(distribution, batch_shape, validate_args):
    """(the shape with its -1 replaced, the same as a TensorShape, what fails)."""
    checks, known = [], constant_value(batch_shape)
    ndims = batch_shape.shape.ndims
    if ndims is not None and ndims != 1:
        raise ValueError(f"`batch_shape` must be a vector (saw rank: {ndims}).")
    if known is not None and ((known < -1).any() or {-1, 0} <= set(known.tolist())):
        raise ValueError("`batch_shape` elements must be >=-1.")
    total = distribution.batch_shape.num_elements()
    if known is not None and total is not None:
        dims = [int(d) for d in known]
        if -1 in dims:
            rest = int(np.prod([d for d in dims if d != -1]))
            dims[dims.index(-1)] = total // max(rest, 1)
        if int(np.prod(dims)) != total:
            raise ValueError(
                f"`batch_shape` size ({int(np.prod(dims))}) must match "
                f"`distribution.batch_shape` size ({total})."
            )
        return np.array(dims, np.int32), TensorShape(dims), checks
    own = distribution.batch_shape_tensor()
    unknown = equal(batch_shape, -1)
    rest = reduce_prod(own) // maximum(-reduce_prod(batch_shape), 1)
    expanded = where(unknown, rest + batch_shape * 0, batch_shape)
    if validate_args:
        checks = [
            assert_rank(own, 1, message="Original shape must be a vector."),
            assert_rank(batch_shape, 1, message="New shape must be a vector."),
            assert_less_equal(
                reduce_sum(cast(unknown, dtypes.int32)), 1,
                message="At most one dimension can be unknown.",
            ),
            assert_greater_equal(
                batch_shape, -1, message="Shape elements must be >=-1."
            ),
            assert_equal(
                reduce_prod(expanded), reduce_prod(own),
                message="Shape sizes do not match.",
            ),
        ]  # fmt: skip
    n = batch_shape.shape.num_elements()
    static = TensorShape(None if n is None else [None] * n)
    if known is not None:
        static = TensorShape([None if d < 0 else int(d) for d in known])
    return expanded, static, checks
