"""The form of a row of the table of op cases, and the rows.

A row names an op, gives sample inputs and says what comes out; the checks of
`tests.support.op_checks` do the rest. Float samples are float64 and are cast to each
of the row's dtypes; everything else stays as it is given. A domain that avoids kinks
and poles is part of the sample (`floats(3, low=0.1)`), never of the tolerance.

Example:
    case("Tanh", floats(3, 4), reference=np.tanh)
    case("Sum", floats(2, 3), 1, reference=lambda x, axis: x.sum(axis))
    case("GatherV2", floats(4), [5], 0, errors=[...], reference=np.take)
"""

import collections
import itertools
import zlib
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from twinflow.base.errors import InvalidArgumentError

CASES: list["Case"] = []
COVERED: dict[str, str] = {}
NUMBERS: collections.defaultdict[str, itertools.count] = collections.defaultdict(
    itertools.count
)  # of the next row of each op
TOLERANCE = {"float64": 1e-12, "float32": 1e-6, "float16": 2e-3, "bfloat16": 2e-2}


class Sample(NamedTuple):
    """Numbers still to be drawn: see `floats` and `distinct`."""

    kind: str
    shape: tuple
    low: float
    high: float

    def draw(self, seed):
        """The array, the same for the same seed."""
        random = np.random.RandomState(seed)
        if self.kind == "distinct":
            n = int(np.prod(self.shape))
            steps = np.linspace(self.low, self.high, n)
            return random.permutation(steps).reshape(self.shape)
        x = np.asarray(random.uniform(self.low, self.high, self.shape))
        if self.kind == "gap":
            x *= random.choice([-1, 1], self.shape)
        return x


def floats(*shape, low=-2.0, high=2.0):
    """Uniform floats from [low, high)."""
    return Sample("floats", shape, low, high)


def away_from_zero(*shape, low=0.3, high=2.0):
    """Floats of both signs with low <= |x| < high."""
    return Sample("gap", shape, low, high)


def distinct(*shape, low=-2.0, high=2.0):
    """Floats at equal distances from each other, shuffled: nothing is ever tied."""
    return Sample("distinct", shape, low, high)


class Error(NamedTuple):
    """A call that must fail: what goes in, and what comes."""

    inputs: tuple
    type: type
    text: str
    attrs: dict


def error(*inputs, text, type=InvalidArgumentError, **attrs):
    """A call with these inputs raises `type` with `text` in its message (eagerly)."""
    return Error(inputs, type, text, attrs)


@dataclass
class Case:
    """One row; see `case` for the fields."""

    op: Any
    inputs: tuple
    attrs: dict
    reference: Any
    grad: Any = None
    order: int = 2
    dtypes: tuple = ("float32", "float64")
    tol: Any = None
    reason: str = ""
    errors: list = field(default_factory=list)
    partial: bool = True
    data_dependent: bool = False
    static: tuple = ()
    needs: str = ""
    name: str = ""

    def __str__(self):
        return self.name

    def arrays(self, dtype):
        """The inputs, with float samples as `dtype`."""
        return [cast_samples(x, dtype) for x in self.inputs]

    def tolerance(self, dtype):
        """How far a float may be from the reference, relative to the scale."""
        return (self.tol or {}).get(dtype, TOLERANCE.get(dtype, 0))


def cast_samples(x, dtype):
    """`x`, with float64 arrays (and those in a list) as `dtype`."""
    if isinstance(x, list):
        return [cast_samples(v, dtype) for v in x]
    if isinstance(x, np.ndarray) and x.dtype == np.float64:
        return x.astype(dtype)
    return x


def _drawn(x, seed):
    if isinstance(x, Sample):
        return x.draw(seed)
    if isinstance(x, list) and any(isinstance(v, Sample) for v in x):
        return [_drawn(v, seed + 100 * i) for i, v in enumerate(x)]
    return x


def case(
    op, *inputs, reference, attrs=None, grad=None, order=2,
    dtypes=("float32", "float64"), tol=None, reason="", errors=(), partial=True,
    data_dependent=False, static=(), needs="",
):  # fmt: skip
    """Add a row.

    Args:
        op: the type of a registered op, or a public function.
        inputs: one per input of the op: a sample, an array (float64 is cast to each of
            `dtypes`), a list of them for a list input; Python values are host inputs.
        reference: ``(*inputs, **attrs) -> array`` in NumPy (a list for several
            outputs), or the expected arrays. A float64 result stands for the row's
            dtype; any other must come out in exactly its dtype.
        attrs: attributes of the op, or keyword arguments of the function.
        grad: the positions of the inputs to differentiate; by default all float
            samples that have a gradient rule. () = none.
        order: 1 or 2, the highest derivative to check.
        dtypes: the dtypes to run float samples in.
        tol: {dtype name: tolerance relative to the scale} where TOLERANCE does not do.
        reason: why; required with `tol` and with order=1.
        errors: calls that must fail, made by `error`.
        partial: also infer from partly unknown shapes.
        data_dependent: the shape of the result depends on the values of the inputs.
        static: the positions of arrays that a public function takes only as they are,
            never as tensors of a graph.
        needs: "rank" or "shape": graphs that do not know it are refused.
    """
    if (tol or order < 2) and not reason:
        raise ValueError(f"The row of {op} leaves the defaults without a reason.")
    label = op if isinstance(op, str) else op.__name__
    n = next(NUMBERS[label])
    seed = zlib.crc32(f"{label}-{n}".encode()) % 2**31
    drawn = tuple(_drawn(x, seed + i) for i, x in enumerate(inputs))
    row = Case(op, drawn, attrs or {}, reference, grad, order, tuple(dtypes))
    row.tol, row.reason, row.errors = tol, reason, list(errors)
    row.partial, row.data_dependent, row.name = partial, data_dependent, f"{label}-{n}"
    row.static, row.needs = static, needs
    CASES.append(row)


def covered(op_type, by):
    """Say that another test, `by`, covers an op that a row cannot express."""
    COVERED[op_type] = by


def covered_ops():
    """The types of all ops that have a row, or another test."""
    return {c.op for c in CASES if isinstance(c.op, str)} | set(COVERED)
