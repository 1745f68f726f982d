"""Programs at special values, in every engine: zeros, denormals, huge, tiny, inf, nan.

A program is a name, its arrays and a function of tensors. Many go into one graph, so
that XLA compiles them together; their arrays are fed, so that nothing is known while
it compiles but what a program makes a constant of.
"""

import contextlib
import ctypes
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from twinflow.base import dispatch, dtypes
from twinflow.eager.mode import MODE
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import Policy
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.gradients import gradients
from twinflow.graph.program import build as build_program
from twinflow.ops.core.constant import constant
from twinflow.passes import optimize

FLOATS = ("float32", "float64", "float16", "bfloat16")
INTEGERS = ("int32", "int64", "int8", "int16", "uint8", "uint16", "uint32", "uint64")


class Program(NamedTuple):
    """What runs.

    Attributes:
        name: of the program. arrays: its inputs.
        function: tensors -> a list of tensors.
        slopes: the places of the inputs to differentiate by.
        ulps: how far the engines may be apart, in units in the last place.
        near: how far relative to 1, in eps: where a difference makes a small result.
    """

    name: str
    arrays: list
    function: Any
    slopes: tuple = ()
    ulps: float = 4
    near: float = 0


def special(dtype):
    """The special values of a dtype, and some that are not."""
    kind = np.dtype(dtypes.as_dtype(dtype).np)
    if kind.kind in "iu":
        ends = np.iinfo(kind)
        values = [0, 1, 2, 3, 7, 100, ends.max, ends.max - 1, ends.max // 2]
        values += [] if kind.kind == "u" else [-1, -2, -7, ends.min, ends.min + 1]
        return np.array(values, kind)
    ends = ml_dtypes.finfo(kind)
    least, tiny, top = map(float, (ends.smallest_subnormal, ends.tiny, ends.max))
    sizes = [
        0.0, least, tiny / 4, tiny, tiny * 3, tiny**0.5, 1e-3, 0.3, 0.5, 1.0, 1.5, 2.0,
        2.5, 7.7, 88.0, top**0.5 * 3, top / 2, top, np.inf,
    ]  # fmt: skip
    return np.array([*sizes, *(-s for s in sizes), np.nan], np.float64).astype(kind)


def pairs(dtype):
    """Every special value beside every other."""
    x = special(dtype)
    return [np.repeat(x, x.size), np.tile(x, x.size)]


# ------------------------------------------------------------------ denormals
class _Environment(ctypes.Structure):
    """fenv_t of glibc on x86-64."""

    _fields_ = [("x87", ctypes.c_ubyte * 28), ("mxcsr", ctypes.c_uint32)]


_FLUSH = 0x8040  # denormals are zeros, and results flush to zero


@contextlib.contextmanager
def flushed():
    """This thread counts denormals as zeros, as XLA's threads do."""
    math, before = ctypes.CDLL("libm.so.6"), _Environment()
    math.fegetenv(ctypes.byref(before))
    inside = _Environment.from_buffer_copy(before)
    inside.mxcsr |= _FLUSH
    math.fesetenv(ctypes.byref(inside))
    try:
        yield
    finally:
        math.fesetenv(ctypes.byref(before))


def without_denormals(a, least=1):
    """The array with zeros of their sign for what is below `least` normal numbers."""
    if a.dtype.kind not in "fV":
        return a
    zero = np.copysign(np.zeros((), a.dtype), a)
    return np.where(np.abs(a) < least * float(ml_dtypes.finfo(a.dtype).tiny), zero, a)


# ------------------------------------------------------------------ engines
class Batch:
    """Programs in one graph, with the gradients of those that have some."""

    def __init__(self, programs):
        self.programs, self.slices = programs, []
        self.graph, self.feeds, self.outputs = FuncGraph("special", MODE), [], []
        with dispatch.entered(self.graph):
            for p in programs:
                self._add(p)

    def _add(self, p):
        xs = [self._fed(a) for a in p.arrays]
        ys, start = list(p.function(*xs)), len(self.outputs)
        self.outputs += ys
        middle = len(self.outputs)
        if p.slopes:
            self.outputs += self._slopes(p, xs, ys)
        self.slices.append((start, middle, len(self.outputs)))

    def _slopes(self, p, xs, ys):
        ys = [y for y in ys if y.dtype.is_floating]
        found = gradients(ys, [xs[i] for i in p.slopes]) if ys else []
        return [self.graph.tensor(g) for g in found if g is not None]

    def _fed(self, a):
        self.feeds.append(a)
        return self.graph.add_input(dtypes.from_numpy(a.dtype), a.shape, "x")

    def run(self, passes, policy, feeds=None):
        """The arrays of all outputs."""
        program = build_program(self.graph, self.outputs, (), self.graph.inputs, True)
        plan = Plan(optimize(program) if passes else program, lambda c: c, policy)
        found = [np.asarray(a) for a in plan.run(feeds or self.feeds)]
        return found, plan

    def compiled(self):
        """The arrays from XLA; that it took part is checked."""
        accepted = []

        def noted(run):
            def with_note(*args):
                values = run(*args)
                accepted.append(values is not None)
                return values

            return with_note

        found, plan = self.run(True, Policy(at_once=True))
        entries = [e for c in plan.clusters for e in c.entries.values()]
        errors = [e.error for e in entries if e.error is not None]
        assert entries and not errors, f"not compiled: {errors}"
        for e in entries:
            e.executable.run = noted(e.executable.run)
        plan.run(self.feeds)
        assert all(accepted), "a guard fails"
        return found


def eagerly(p):
    """The outputs of a program, op by op."""
    with dispatch.entered(MODE):
        return [np.asarray(t._a) for t in p.function(*map(constant, p.arrays))]


# ------------------------------------------------------------------ comparison
def classes(a):
    """nan 0, -inf 1, negative 2, -0 3, +0 4, positive 5, inf 6."""
    with np.errstate(all="ignore"):
        a = a.astype(np.float64)
    sign = np.where(np.signbit(a), -1, 1)
    size = np.where(a == 0, 1, np.where(np.isinf(a), 3, 2))
    return np.where(np.isnan(a), 0, sign * size)


def apart(a, b, near=0):
    """How far two float arrays are from each other, in units in the last place.

    Differences up to `near` times eps do not count.
    """
    info = ml_dtypes.finfo(a.dtype)
    eps, tiny = float(info.eps), float(info.tiny)
    with np.errstate(all="ignore"):
        x, y = a.astype(np.longdouble), b.astype(np.longdouble)
        size = np.maximum(np.maximum(np.abs(x), np.abs(y)), tiny) * eps
        gap = np.where(np.isfinite(x), np.abs(x - y), 0)
        close = gap <= near * eps
    units = np.where(classes(a) == classes(b), gap / size, np.inf)
    return np.where(close & np.isfinite(x) & np.isfinite(y), 0, units)


def faults(found, references, ulps=0, near=0):
    """The places where `found` is none of some arrays, up to some units."""
    assert all(r.shape == found.shape and r.dtype == found.dtype for r in references)
    bad = np.ones(found.shape, bool)
    for r in references:
        if found.dtype.kind in "fV":
            bad &= apart(r, found, near) > ulps
        else:
            bad &= r != found
    return np.flatnonzero(bad)
