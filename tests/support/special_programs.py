"""The programs of the sweep over special values: ops alone, and chains of them."""

import itertools
import random

import ml_dtypes
import numpy as np

from tests.support import op_cases  # noqa: F401 - loads every op
from tests.support.special_values import (
    Program,
    pairs,
    special,
    without_denormals,
)
from twinflow.base import dtypes
from twinflow.base.dispatch import apply
from twinflow.base.op import registry
from twinflow.ops.arrays.sorting import argsort, nth_element, sort
from twinflow.ops.arrays.topk import top_k
from twinflow.ops.core import elementwise as ew
from twinflow.ops.core import infer, reduction, scan
from twinflow.ops.core.compare import where
from twinflow.ops.core.constant import cast, constant
from twinflow.ops.math import segment_unsorted
from twinflow.ops.math.clip import clip_by_value
from twinflow.ops.math.positions import argmax, argmin
from twinflow.ops.nn.softmax import log_softmax, softmax

# Elementwise ops that have their own tests, or take what is no number.
_ELSEWHERE = {"Cast", "CheckNumerics", "Print", "DebugGradientIdentity", "DeepCopy"}
# Their sums take a step for each of many terms: see test_special_functions.
SUMS = {"Igamma", "Igammac", "IgammaGradA", "RandomGammaGrad", "Zeta", "Polygamma"}
# How far the engines are apart, in units in the last place, where it is more than 4,
# and by which part of eps where a difference of near numbers makes it relative to 1.
ULPS = {
    "Cosh": 16, "Sinh": 16, "Acosh": 16, "Asinh": 16, "Lgamma": 16, "Digamma": 16,
    "BesselI0e": 16, "BesselI1e": 16, "Erfc": 8, "Pow": 8, "Zeta": 64, "Polygamma": 64,
}  # fmt: skip
ABSOLUTE = dict.fromkeys(
    ("Elu", "Selu", "Tanh", "Sigmoid", "Digamma", "Lgamma", "BesselI1e", "BesselI0e"),
    8,
)


def _is_elementwise(op, dtype):
    """Whether a sweep over values alone says all about `op`."""
    ins = op.sig.inputs
    return (
        op.infer in (infer.broadcast, infer.same, infer.same_pair, infer.unchanged)
        and op.type not in _ELSEWHERE
        and op.kernel is not None
        and not (op.stateful or op.host)
        and 0 < len(ins) < 3
        and all(a.type_attr == "T" and not a.is_list and not a.host for a in ins)
        and dtypes.as_dtype(dtype) in op.types.get("T", ())
    )


def elementwise(dtype, only=lambda name: name not in SUMS):
    """A program for each elementwise op that takes a dtype."""
    for name, op in sorted(registry.items()):
        if _is_elementwise(op, dtype) and only(name):
            yield _of_op(op, dtype)


def elementwise_ops(dtype):
    """(op, ulps, near) of the ops of `elementwise`: how far engines are apart."""
    for name, op in sorted(registry.items()):
        if _is_elementwise(op, dtype) and name not in SUMS:
            yield op, ULPS.get(name, 4), ABSOLUTE.get(name, 0)


def _of_op(op, dtype):
    arrays = [special(dtype)] if len(op.sig.inputs) == 1 else pairs(dtype)
    is_float = dtypes.as_dtype(dtype).is_floating
    if op.guard is not None and not is_float:
        good = arrays[1] >= 0 if op.type == "Pow" else arrays[1] != 0
        arrays = [a[good] for a in arrays]
    has_slope = is_float and (dtypes.as_dtype(dtype).size > 2 or op.type != "Digamma")
    slopes = [i for i, rule in enumerate(op.rules) if rule and has_slope]
    return Program(
        op.type, arrays, lambda *xs: _listed(apply(op, xs, dict(op.sig.attrs))),
        tuple(slopes), ULPS.get(op.type, 4), ABSOLUTE.get(op.type, 0),
    )  # fmt: skip


def _listed(value):
    return list(value) if isinstance(value, list | tuple) else [value]


# ------------------------------------------------------------------ chains
STEPS = {
    "x/b": ew.realdiv, "b/x": lambda x, b: ew.realdiv(b, x), "x*b": ew.multiply,
    "x+b": ew.add, "x-b": ew.subtract, "x**b": ew.pow, "sqrt": ew.sqrt,
    "rsqrt": ew.rsqrt, "square": ew.square, "1/x": ew.reciprocal, "exp": ew.exp,
    "log": ew.log, "-x": ew.negative, "abs": ew.abs,
}  # fmt: skip
_SAMPLES = 48  # combinations of special values a chain runs on


class Chain:
    """Steps one after the other, each with an operand of its own."""

    def __init__(self, names, known):
        self.names, self.known = names, known
        self.steps = [STEPS[n] for n in names]
        self.binary = [n in _BINARY for n in names]

    def __call__(self, *xs):
        """The result; operands that are known become constants of the graph."""
        return [self.values(xs)[-1]]

    def values(self, xs):
        """The value behind each step."""
        rest, found = iter(xs), []
        x = next(rest)
        for step, binary in zip(self.steps, self.binary, strict=True):
            x = step(x, next(rest)) if binary else step(x)
            found.append(x)
        return found


_BINARY = {"x/b", "b/x", "x*b", "x+b", "x-b", "x**b"}


def chains(dtype, length, count, seed=0):
    """Chains of some steps, every second with constants for operands."""
    draw = random.Random(seed)
    choices = list(itertools.product(STEPS, repeat=length))
    for i, names in enumerate(draw.sample(choices, min(count, len(choices)))):
        yield _chain(names, dtype, i % 2 == 1, draw.randrange(2**31))


def _is_contracted(names):
    """Whether XLA rounds a product and the sum with it once, so that both must fit."""
    steps = itertools.pairwise(names)
    return any(a in ("x*b", "square") and b in ("x+b", "x-b") for a, b in steps)


def _chain(names, dtype, known, seed):
    values, draw = special(dtype), np.random.RandomState(seed)
    near = np.abs(values.astype(np.float64)) > ml_dtypes.finfo(values.dtype).max / 2.5
    values = values[~near | ~np.isfinite(values)]  # rounding decides what is inf
    if _is_contracted(names):
        values = values[~(np.abs(values).astype(np.float64) > 100) | np.isinf(values)]
    chain = Chain(names, known)
    sizes = [_SAMPLES] * (1 + sum(chain.binary))
    arrays = [values[draw.randint(len(values), size=n)] for n in sizes]
    function, label = chain, " ".join(names)
    if known:
        operands = [without_denormals(a) for a in arrays[1:]]  # as those that are fed
        function = lambda x: chain(x, *(constant(a) for a in operands))
        arrays, label = arrays[:1], label + " known"
    return Program(label, arrays, function, tuple(range(len(arrays))), 64)


# ------------------------------------------------------------------ along axes
def _rows(dtype, seed):
    """[40, 6]: special values of moderate size, so that sums do not overflow."""
    x, draw = special(dtype), np.random.RandomState(seed)
    if x.dtype.kind not in "iu":
        size = np.abs(x.astype(np.float64))
        x = x[~(np.isfinite(size) & ((size > 100) | ((size > 0) & (size < 1e-4))))]
        x = np.concatenate([x, x[np.isfinite(x.astype(np.float64))]])
    return x[draw.randint(len(x), size=(40, 6))]


_IDS = np.array([0, 2, 1, 0, 5, 2, 2, 3] * 5, np.int32)


def along_axes(dtype):
    """Reductions, scans, order, segments, choices and conversions."""
    x, d = _rows(dtype, 1), dtypes.as_dtype(dtype)
    slopes = (0,) if d.is_floating else ()
    for name, function in _functions(d).items():
        yield Program(name, [x], lambda t, f=function: _listed(f(t)), slopes, 64, 64)


def _functions(d):
    """name -> function of a matrix, for a dtype."""
    real = {
        "max": lambda x: reduction.reduce_max(x, 1),
        "max 0": lambda x: reduction.reduce_max(x, 0),
        "min": lambda x: reduction.reduce_min(x, 1),
        "argmax": lambda x: argmax(x, 1), "argmin": lambda x: argmin(x, 0),
        "top 1": lambda x: top_k(x, 1), "top 3": lambda x: top_k(x, 3),
        "sort": sort, "argsort": argsort,
        "nth": lambda x: nth_element(x, 2),
        "sum": lambda x: reduction.reduce_sum(x, 1),
        "prod": lambda x: reduction.reduce_prod(x, 1),
        "segment max": lambda x: segment_unsorted.unsorted_segment_max(x, _IDS, 7),
        "segment min": lambda x: segment_unsorted.unsorted_segment_min(x, _IDS, 7),
        "segment sum": lambda x: segment_unsorted.unsorted_segment_sum(x, _IDS, 7),
    }  # fmt: skip
    if d in (dtypes.uint32, dtypes.uint64):
        del real["sort"], real["argsort"]  # they subtract, which these cannot
    if d in (dtypes.int32, dtypes.int64) or d.is_floating:
        real |= {
            "cumsum": lambda x: scan.cumsum(x, 1),
            "cumprod": lambda x: scan.cumprod(x, 1, exclusive=True),
            "clip": lambda x: clip_by_value(x, cast(1, d), cast(3, d)),
        }
    for other in ("int8", "uint8", "int32", "int64", "bool", "float32", "float16"):
        real[f"to {other}"] = lambda x, other=other: cast(x, other)
    if d.is_floating:
        real |= {
            "mean": lambda x: reduction.reduce_mean(x, 1), "softmax": softmax,
            "log_softmax": log_softmax,
            "logsumexp": lambda x: reduction.reduce_logsumexp(x, 1),
            "where": lambda x: where(ew.sign(x) > 0, x, ew.negative(x)),
        }  # fmt: skip
    return real
