"""A random program run in every way, and what came of it held against each other.

Note [Noise]: how far rounding may carry a result is measured, not guessed. The program
runs again with each value that it names changed by a random unit in the last place. An
output may differ between two engines by a few times of what that changes, and by some
units in the last place of its largest element. One of the runs takes denormals for
zeros, as XLA does. Where noise changes an integer or decides a branch, the output says
nothing and is left out.
"""

import re

import numpy as np

import twinflow as tf
from tests import ways
from tests.support import programs_run
from twinflow.base import errors
from twinflow.lower.compile import Executable
from twinflow.lower.lowering import NeedsValue

# What a graph refuses because it knows less of shapes than eager mode does.
VAGUE = (
    "use the `shape_invariants` argument", "Cannot infer num from shape",
    "shape attr must be fully defined",
)  # fmt: skip
# What is compared only where shapes are known before the program runs: that of a tensor
# array is not, but eagerly.
STATIC = ("are incompatible", "must have the same shape", "must be equal rank")
NOISES, MARGIN, ULPS = 3, 32, 64
# Their slopes are differences from 1, which no noise of what a program names can show.
SATURATED = ("tanh(", "sigmoid", "softsign(")
RUNS = 2


class Disagreement(AssertionError):
    """Two ways of running a program that do not agree.

    Attributes:
        label: in short, what is wrong.
    """

    def __init__(self, label, source, a, b):
        super().__init__(f"{label}\n{source}\n{a}\n-----\n{b}")
        self.label, self.records = label, (a, b)


# ------------------------------------------------------------------ noise
def noisy(source):
    """The source with every value that it names passed through `N`."""
    named = r"(?m)^(\s+(?:with .*\]\): )?)(t\d+(?:, t\d+)*,?) = (.*)$"
    return re.sub(named, r"\1\2 = N(\3)", source)


def noise(seed, denormals=True):
    """`N`: changes floats by at most a unit in the last place, and complex numbers by
    a unit of their modulus in both parts.

    Args:
        denormals: False if they become zeros.
    """
    random = np.random.RandomState(seed)

    def change(x):
        if isinstance(x, list | tuple):
            return type(x)([change(v) for v in x])
        dtype = getattr(x, "dtype", None)
        if not isinstance(x, tf.Tensor) or not (dtype.is_floating or dtype.is_complex):
            return x
        kind = dtype.as_numpy_dtype
        steps = random.choice([-1.0, 0.0, 1.0], np.shape(x.numpy()))
        if dtype.is_complex:
            steps = steps + 1j * random.choice([-1.0, 1.0], steps.shape)
        changed = x * tf.constant(np.asarray(1 + steps * np.finfo(kind).eps, kind))
        if denormals or dtype.is_complex:
            return changed
        zeros = tf.constant(np.abs(changed.numpy()) < np.finfo(kind).tiny)
        return tf.where(zeros, tf.zeros_like(changed), changed)

    return change


def rounding(source, record):
    """How far each element of each output may be off; nan where nothing is sure."""
    spread = [np.zeros(a.shape) for a in record.arrays]
    for seed in range(NOISES):
        with ways.eager():
            other = programs_run.eager(tf, noisy(source), N=noise(seed, seed > 0))
        if other.error is not None:
            return [np.full(a.shape, np.nan) for a in record.arrays]
        for i, (a, b) in enumerate(zip(record.arrays, other.arrays, strict=True)):
            spread[i] = np.maximum(spread[i], _apart(a, b))
    least = 4 / ULPS if any(name in source for name in SATURATED) else 1e-30
    return [_allowed(a, s, least) for a, s in zip(record.arrays, spread, strict=True)]


def _apart(a, b):
    """How far two arrays are apart, per element; nan where they are not comparable."""
    if a.shape != b.shape:
        return np.full(a.shape, np.nan)
    if a.dtype.kind not in "fc":
        return np.where(a == b, 0.0, np.nan)
    with np.errstate(all="ignore"):
        x, y = (
            v.astype(np.complex128 if v.dtype.kind == "c" else float) for v in (a, b)
        )
        same = (x == y) | (np.isnan(x) & np.isnan(y))
        return np.where(same, 0.0, np.abs(x - y))


def _allowed(a, spread, least):
    if a.dtype.kind not in "fc" or not a.size:
        return spread
    finite = np.abs(a[np.isfinite(a)]).astype(float)
    unit = np.finfo(a.dtype).eps * max(finite.max(initial=0), least)
    largest = np.max(spread)  # nan and inf as well: what is unsure makes all unsure
    return np.full(a.shape, MARGIN * largest + ULPS * unit)


# ------------------------------------------------------------------ comparing
def compare(source, a, b, label, limits=None, may_refuse=False):
    """Two Records of a program agree.

    Args:
        limits: what `rounding` says, or None if they must be equal bit for bit.
        may_refuse: whether `b` is of a graph that knows little: it may be refused, and
            may run where static shapes alone forbid it.
    Raises:
        Disagreement: they do not.
    """
    fail = lambda what: Disagreement(f"{label}: {what}", source, a, b)
    if may_refuse and b.early and b.error in ("ValueError", "TypeError"):
        return
    vague = may_refuse or "TensorArray(" in source
    if vague and a.error == "ValueError" and any(t in a.text for t in STATIC):
        return
    if b.error and any(text in b.text for text in VAGUE):
        return
    if a.error is not None or b.error is not None:
        if not same_error(a, b):
            raise fail(f"{a.error} and {b.error}")
        return
    if list(a.notes) != list(b.notes):
        raise fail(f"gradients {a.notes} and {b.notes}")
    for i, (x, y) in enumerate(zip(a.arrays, b.arrays, strict=True)):
        if x.dtype != y.dtype or x.shape != y.shape:
            raise fail(f"{x.dtype}{x.shape} and {y.dtype}{y.shape} of output {i}")
        if not near(x, y, limits and limits[i]):
            raise fail(f"values of output {i}")


def near(x, y, limit):
    apart = _apart(x, y)
    if limit is None:
        return bool((apart == 0).all())
    return bool((np.isnan(limit) | (apart <= limit)).all())


def same_error(a, b):
    """Whether two modes of twinflow raise errors of the same class.

    What eager mode and running graphs call InvalidArgumentError is a ValueError, or a
    TypeError where dtypes clash, while a graph is built.
    """
    if a.error is None or b.error is None:
        return False
    for x, y in ((a.raised, b.raised), (b.raised, a.raised)):
        if isinstance(x, type(y)):
            return True
        if isinstance(x, errors.OpError) and isinstance(y, ValueError | TypeError):
            return True
    return False


# ------------------------------------------------------------------ ways
def runs(source):
    """The Records of every way that does not compile: a dict."""
    with ways.interpreted():
        with ways.eager():
            eager = programs_run.eager(tf, source)
            function = programs_run.function(tf, source)
        return {
            "eager": eager,
            "function": function,
            "graph": programs_run.graph(tf, source),
            "vague graph": programs_run.graph(tf, source, vague=True),
        }


def check(source):
    """All ways that do not compile agree; returns the eager Record."""
    found = runs(source)
    eager = found.pop("eager")
    limits = rounding(source, eager) if eager.arrays else None
    for way, record in found.items():
        label = f"eager and {way}"
        compare(source, eager, record, label, limits, may_refuse=way == "vague graph")
    return eager


def check_compiled_alone(source):
    """XLA gives for a program in a graph of its own what eager mode gives."""
    for _, why in differing([source]):
        raise why


def check_compiled_function(source):
    """The same of the program as a compiled function."""
    with ways.eager():
        eager = programs_run.eager(tf, source)
    record = compiled_function(source)
    compare(source, eager, record, "eager and compiled", rounding(source, eager))


def differing(sources):
    """(source, Disagreement) of each program that XLA computes otherwise."""
    try:
        records = compiled(sources)
    except Exception as error:  # of any program: each is tried alone
        records = [programs_run.Record(raised=error)] * len(sources)
    for source, record in zip(sources, records, strict=True):
        with ways.eager():
            eager = programs_run.eager(tf, source)
        try:
            limits = rounding(source, eager) if eager.arrays else None
            compare(source, eager, record, "eager and XLA", limits)
        except Disagreement as why:
            if len(sources) == 1:
                yield source, why
            else:
                yield from differing([source])


def compiled(sources):
    """The Records of programs that are compiled together."""
    outs, feeds, scopes = [], {}, []
    with tf.Graph().as_default() as graph, ways.compiled(NeedsValue):
        for source in sources:
            scope, out, ins = programs_run.place(tf, source, vague=False)
            outs.append(out)
            scopes.append(scope)
            feeds.update(ins)
        with tf.Session(graph=graph) as session, no_guard_fails():
            for _ in range(RUNS):  # what needs a value is left out of the next
                session.run(tf.global_variables_initializer())
                values = session.run(outs, feeds)
    return [
        programs_run.Record([programs_run.array(v) for v in some], scope["notes"])
        for some, scope in zip(values, scopes, strict=True)
    ]


class no_guard_fails:
    """A block in which every compiled cluster keeps its results."""

    def __enter__(self):
        self.run = run = Executable.run

        def with_note(executable, *args):
            found = run(executable, *args)
            if found is None:
                raise RuntimeError("a guard failed: the interpreter would run it")
            return found

        Executable.run = with_note

    def __exit__(self, *_):
        Executable.run = self.run


def compiled_function(source):
    """The Record of a program run as a compiled function."""
    with ways.compiled(NeedsValue), ways.eager():
        return programs_run.function(tf, source)
