"""Rows of ops.math (reduction and scan) and of the sum in ops.core.broadcast."""

import numpy as np

from tests.support.op_cases.table import (
    away_from_zero,
    case,
    distinct,
    error,
    floats,
)
from twinflow.base import dtypes
from twinflow.ops.core import reduction

_HALF = ("float16", "bfloat16", "float32", "float64")
_INTS = np.array([[-3, 0, 5], [4, -1, 2]], np.int32)
_NO_AXIS = [
    error(np.zeros((2, 3)), 2, text="Invalid reduction dimension (2 for input with 2"),
    error(np.zeros((2, 3)), (0, -3), text="Invalid reduction dimension (-3 for input"),
]
_ALL = ((0,), (1,), (-1,), (0, 2), (), (0, 1, 2))


def _reduction(op, reference, sample=floats, **more):
    """Rows over every kind of axes, kept or not."""

    def compute(x, axes, keep_dims=False):
        out = reference(x, axes, keepdims=keep_dims)
        return out.astype(x.dtype) if out.dtype.kind in "iu" else out

    case(
        op,
        sample(2, 3, 2),
        1,
        reference=compute,
        errors=_NO_AXIS,
        dtypes=_HALF,
        tol={"float16": 4e-3, "bfloat16": 4e-2},
        reason="sums of rounded terms",
        **more,
    )
    for axes in _ALL:
        case(op, sample(2, 3, 2), axes, reference=compute, **more)
    case(op, sample(2, 3), (1,), attrs={"keep_dims": True}, reference=compute, **more)
    case(op, sample(), (), reference=compute)
    case(op, _INTS, (1, 1), reference=lambda x, axes: compute(x, 1))
    case(op, _INTS.astype(np.int64), (0,), reference=compute)


def _mean(x, axes, keepdims):
    if x.dtype.kind == "i":  # cut off, not rounded down
        return np.trunc(np.mean(x, axes, keepdims=keepdims)).astype(x.dtype)
    return np.mean(x, axes, keepdims=keepdims)


_reduction("Sum", np.sum)
_reduction("Mean", _mean)
_reduction("Prod", np.prod, away_from_zero)
_reduction("Max", np.max, distinct)
_reduction("Min", np.min, distinct)
case("Mean", np.array([-3, 0], np.int32), 0, reference=np.int32(-1))
case("Mean", np.zeros((0, 2)), 0, reference=np.full(2, np.nan), grad=())
case("Sum", np.zeros((0, 2)), 0, reference=np.zeros(2))
case("Max", np.zeros((0, 2)), 0, reference=np.full(2, -np.inf), grad=())
case("Min", np.zeros((0, 2), np.int32), 0, reference=np.full(2, 2**31 - 1, np.int32))
case(
    "Prod", np.array([[2.0, 0.0, 3.0], [1.0, 2.0, 4.0]]), 1, order=1,
    reference=lambda x, axis: np.prod(x, axis),
    reason="the second derivative at 0 is NaN, as in TensorFlow",
)  # fmt: skip

_BOOLS = np.array([[True, False], [True, True]])
for _op, _reduce in (("All", np.all), ("Any", np.any)):

    def _logic(x, axes, keep_dims=False, f=_reduce):
        return f(x, axes, keepdims=keep_dims)

    _bad = error(_BOOLS, 2, text="Invalid reduction dimension (2")
    for _axes in ((0,), (1,), (0, 1), ()):
        case(_op, _BOOLS, _axes, reference=_logic, errors=[_bad])
    case(_op, _BOOLS, (1,), attrs={"keep_dims": True}, reference=_logic)

for _op, _find in (("ArgMax", np.argmax), ("ArgMin", np.argmin)):
    _errors = [
        error(np.zeros((2, 3)), 2, text="Expected dimension in the range [-2, 2), but"),
        error(np.zeros((0,)), 0, text="Reduction axis 0 is empty in shape [0]"),
    ]
    for _axis in (0, 1, -1):
        case(_op, distinct(3, 4), _axis, reference=_find, errors=_errors, grad=())
    case(
        _op, _INTS, 1, attrs={"output_type": dtypes.int32},
        reference=lambda x, axis, output_type, f=_find: f(x, axis).astype(np.int32),
    )  # fmt: skip


def _shifted(x, axis, first):
    one = np.full_like(np.take(x, [0], axis), first)
    return np.delete(np.concatenate([one, x], axis), -1, axis)


def _scan(function, first):
    def reference(x, axis, exclusive=False, reverse=False):
        x = np.flip(x, axis) if reverse else x
        out = function(x, axis).astype(x.dtype)
        out = _shifted(out, axis, first) if exclusive else out
        return np.flip(out, axis) if reverse else out

    return reference


for _op, _function in (
    ("Cumsum", _scan(np.cumsum, 0)),
    ("Cumprod", _scan(np.cumprod, 1)),
):
    _bad = error(
        np.zeros((2, 3)), 2, text="Expected scan axis in the range [-2, 2), but"
    )
    for _exclusive in (False, True):
        for _reverse in (False, True):
            _attrs = {"exclusive": _exclusive, "reverse": _reverse}
            case(_op, away_from_zero(3, 4), 1, attrs=_attrs, reference=_function)
            case(_op, away_from_zero(3, 4), -2, attrs=_attrs, reference=_function)
    case(_op, _INTS, 1, reference=_function, errors=[_bad])


def _logsumexp(x, axis=None, keepdims=None):
    return np.log(np.sum(np.exp(x), axis, keepdims=bool(keepdims)))


case(reduction.reduce_logsumexp, floats(3, 4), reference=_logsumexp)
case(reduction.reduce_logsumexp, floats(3, 4), 1, True, reference=_logsumexp)
case(
    reduction.reduce_logsumexp, np.array([1000.0, 1000.0]), reference=1000 + np.log(2.0)
)
case(
    reduction.reduce_logsumexp,
    np.full(2, -np.inf),
    reference=np.array(-np.inf),
    grad=(),
)
case(reduction.count_nonzero, np.array([0.0, 2.0, 3.0]), grad=(), reference=np.int64(2))

# The public functions, whose fast paths take no op's way.
for _name in ("sum", "mean", "prod", "max", "min"):
    _f, _np = getattr(reduction, f"reduce_{_name}"), getattr(np, _name)
    for _args in ((), (0,), (-1,), ((0, 1),), (1, True), (None, True)):
        case(
            _f, distinct(3, 4), *_args, errors=_NO_AXIS,
            reference=lambda x, axis=None, keep=False, f=_np: f(x, axis, keepdims=keep),
        )  # fmt: skip
    case(
        _f, distinct(2, 2), attrs={"reduction_indices": [1], "keep_dims": True},
        reference=lambda x, f=_np, **_: f(x, 1, keepdims=True),
        errors=[
            error(np.zeros(2), axis=0, type=ValueError,
                  text="Can't specify both axis' and 'reduction_indices'."),
            error(np.zeros(2), keepdims=True, type=ValueError,
                  text="Cannot specify both 'keep_dims' and 'keepdims'"),
        ],
    )  # fmt: skip
