"""Random calls around the rows of the table, run by every engine and compared.

An example starts from a row and changes dtypes, shapes, values, host inputs and
attributes. Whatever comes in, no engine may crash, and they must agree: the same
dtypes, shapes and values, or errors of the same kind. InvalidArgumentError in eager
mode is a ValueError (or a TypeError, where dtypes clash) while a graph is built.
"""

import collections
import re
from typing import Any, NamedTuple

import numpy as np

from tests.support import op_checks
from tests.support.engine_checks import samples
from tests.support.op_cases.table import CASES, TOLERANCE
from twinflow.base import dispatch, dtypes, errors
from twinflow.base.dtypes import DType, from_numpy
from twinflow.eager.mode import MODE
from twinflow.eager.tensor import EagerTensor
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import INTERPRET, Policy
from twinflow.graph.func_graph import FuncGraph
from twinflow.graph.program import build
from twinflow.ops.core.constant import constant
from twinflow.passes import optimize

KINDS = [
    dtypes.as_dtype(name)
    for name in (
        "float16", "bfloat16", "float32", "float64", "int8", "int32", "int64", "uint8",
        "uint16", "bool", "complex64", "complex128",
    )
]  # fmt: skip
FLOATS = [np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0, -1.0, 0.5, 3.0, 1e-3, 100.0]
EXTREMES = [3e38, -3e38, 1.2e-38, 6e4, 7e4, 2.0**31, -(2.0**63)]
INTS = [0, 1, -1, 2, 3, 7, 100]
HOSTS = [0, 1, -1, 2, 3, 5, -2, -3]
WORDS = [b"", b"a", b"ab c", b"\xc3\xa9", b"1.5", b"\xff"]
SHAPED = {"resize_images", "matrix_solve_ls"}  # take another way where they know more
UNBUILT = {"matrix_solve_ls", "qr_parts"}  # raise NotImplementedError as in 1.12
# Products of many numbers, and complex ones: whether inf * 0 is met depends on the way.
SPREADS = re.compile(
    "(?i)complex|conv|matmul|fft|spectr|there_and|dct|matri|chol|svd|qr|eig|solve|det"
    "|norm|contract|tensordot|frame|mfcc|lrn|resize|crop|gamma|trian|expon|logar|losses"
    "|zeta|glimpse|poisson|bound|pool|dilat|sum|mean|segment|scatter|moments|add_?n|bias"
    "|ssim|psnr|loss|softmax|entropy|polyval|l2|variance|interp|area|gram"
)
UNSURE = {"histogram_fixed_width_bins", "searchsorted"}  # floor what may be rounded
LEAKS = re.compile(
    r"^(Index|Type|Key|Attribute|Value|Overflow|Memory|ZeroDivision|Name|Unbound\w+)"
    "Error: "
)
ALLOWED = (errors.OpError, TypeError, ValueError)


class Example(NamedTuple):
    """A call: inputs are arrays where tensors go in, and Python values.

    `picky` functions refuse graphs that know too little.
    """

    row: Any
    inputs: list
    attrs: dict
    picky: bool = False

    def __repr__(self):
        lines = [f"{self.row.name}: {self.attrs}"]
        lines += [f"  {_described(x)}" for x in self.inputs]
        return "\n".join(lines)


def _described(x):
    return f"{x.dtype}{list(x.shape)} {x.tolist()}" if is_array(x) else repr(x)


def is_array(x):
    return isinstance(x, np.ndarray)


def grouped():
    """{label: its rows}, without the ops of ours alone, which nobody else calls."""
    groups = collections.defaultdict(list)
    for row in CASES:
        if not (label := _label(row)).startswith("Twin"):
            groups[label].append(row)
    return groups


# ------------------------------------------------------------------ drawing
def draw(row, others, random):
    """An Example around `row`.

    Args:
        row: the row. others: all rows of its op; attributes are taken from them.
        random: a random.Random.
    """
    inputs = [arrays_of(x) for x in samples(row, random.choice(row.dtypes))]
    attrs = dict(row.attrs)
    if random.random() < 0.5:
        inputs = _with_dtypes(row, inputs, attrs, random)
    if random.random() < 0.5:
        inputs = [_each(x, _reshaped, random, 0.5) for x in inputs]
    if random.random() < 0.6:
        inputs = [_each(x, _revalued, random, 0.6, _is_free(row)) for x in inputs]
    if random.random() < 0.4:
        hosts = [i for i, x in enumerate(inputs) if not has_array(x)]
        for i in hosts:
            if random.random() < 0.5:
                inputs[i] = _varied(inputs[i], random)
    names = sorted(set(attrs) - _fixed(row))
    if names and random.random() < 0.4:
        name = random.choice(names)
        known = [r.attrs[name] for r in others if name in r.attrs]
        attrs[name] = _other_attr(attrs[name], known, random)
    return Example(row, inputs, attrs, any(r.needs for r in others))


def _fixed(row):
    """The attributes that say what else goes in: never changed alone."""
    op = op_checks.as_op(row)
    hosts = {arg.type_attr for arg in op.sig.inputs if arg.host} if op else set()
    return hosts | ({"value", "dtype"} if row.op == "Const" else set())


def _is_free(row):
    """Whether large integers are data, never sizes: inputs of ops, not of functions."""
    return isinstance(row.op, str) and not row.data_dependent


def arrays_of(x):
    if isinstance(x, list):
        return [arrays_of(v) for v in x]
    return np.asarray(x._a) if isinstance(x, EagerTensor) else x


def has_array(x):
    return any(map(has_array, x)) if isinstance(x, list) else is_array(x)


def _each(x, change, random, chance, *more):
    """`change` of the arrays in `x`, each with a chance."""
    if isinstance(x, list):
        return [_each(v, change, random, chance, *more) for v in x]
    if is_array(x) and random.random() < chance:
        return change(x, random, *more)
    return x


def _with_dtypes(row, inputs, attrs, random):
    op = op_checks.as_op(row)
    if op is None:
        kind = random.choice(KINDS)
        return [_cast(x, kind) if _is_float(x) else x for x in inputs]
    chosen: dict = {}
    for arg in op.sig.inputs:
        allowed = sorted(op.types.get(arg.type_attr, KINDS), key=lambda d: d.name)
        usable = [d for d in allowed if d in KINDS] or KINDS
        pool = usable if random.random() < 0.95 else KINDS
        if arg.type_attr and arg.type_attr not in attrs:
            chosen.setdefault(arg.type_attr, random.choice(pool))
    return [
        x if arg.host or arg.mixed else _cast(x, chosen.get(arg.type_attr))
        for arg, x in zip(op.sig.inputs, inputs, strict=True)
    ]


def _is_float(x):
    if isinstance(x, list):
        return any(map(_is_float, x))
    return is_array(x) and x.dtype.kind in "fV"


def _cast(x, kind):
    if isinstance(x, list):
        return [_cast(v, kind) for v in x]
    if not is_array(x) or x.dtype == object or kind is None:
        return x
    if kind.is_unsigned and x.dtype.kind != "b":
        x = abs(x)
    x = x.real if x.dtype.kind == "c" and not kind.is_complex else x
    return x.astype(kind.np)


def _reshaped(x, random):
    """The values of `x`, repeated or cut, in another shape."""
    shape, kind = list(x.shape), random.choice(["zero", "one", "size", "less", "more"])
    if kind in ("zero", "one", "size") and shape:
        size = {"zero": 0, "one": 1}.get(kind, random.randint(1, 5))
        shape[random.randrange(len(shape))] = size
    elif kind == "less" and shape:
        del shape[random.randrange(len(shape))]
    else:
        shape.insert(random.randint(0, len(shape)), random.choice([1, 1, 2, 0]))
    return np.resize(x, shape) if x.size else np.ones(shape, x.dtype)


def _revalued(x, random, free):
    """`x` with other values in some places."""
    pool = _pool(x.dtype, free)
    out = x.copy()
    flat, everywhere = out.reshape(-1), random.random() < 0.3
    for i in range(min(flat.size, 64)):
        if everywhere or random.random() < 0.3:
            flat[i] = random.choice(pool)
    return out


def _pool(dtype, free):
    kind = from_numpy(dtype)
    if dtype.kind == "O":
        return WORDS
    if kind.is_bool:
        return [True, False]
    if kind.is_integer:
        info = np.iinfo(dtype)
        fit = [v for v in INTS if info.min <= v <= info.max]
        return fit + ([info.min, info.max] if free else [])
    with np.errstate(over="ignore"):
        numbers = np.array(FLOATS + EXTREMES * free).astype(dtype)
    return list(numbers)


def _varied(value, random):
    """Another Python value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | np.integer):
        return random.choice([*HOSTS, int(value) + 1, int(value) - 1, -int(value)])
    if isinstance(value, float):
        return random.choice([0.0, 1.0, -1.0, 0.5, value / 2])
    if isinstance(value, list | tuple) and value:
        out = list(value)
        i = random.randrange(len(out))
        if random.random() < 0.8:
            out[i] = _varied(out[i], random)
        elif random.random() < 0.5:
            del out[i]
        else:
            out.insert(i, out[i])
        return type(value)(out) if type(value) in (list, tuple) else value
    return value


def _other_attr(value, known, random):
    if isinstance(value, DType):
        return random.choice([*KINDS, *known])
    if random.random() < 0.5:
        return random.choice(known)
    return _varied(value, random)


# ------------------------------------------------------------------ running
class Outcome(NamedTuple):
    """What came of a call: arrays, or an error and whether it came with building."""

    arrays: Any = None
    error: Any = None
    early: bool = False

    def __repr__(self):
        if self.error is not None:
            return f"{type(self.error).__name__}: {str(self.error)[:300]}"
        return ", ".join(f"{a.dtype}{list(a.shape)} {a.tolist()}" for a in self.arrays)


def eager(example):
    """The Outcome in eager mode."""
    try:
        with dispatch.entered(MODE):
            found = op_checks.call(
                example.row, tensors_of(example.inputs), attrs_of(example)
            )
        for t in found:
            assert t._a.dtype == t.dtype.np, f"{t.dtype} holds {t._a.dtype}: {example}"
        return Outcome([np.asarray(t._a) for t in found])
    except ALLOWED as error:
        if isinstance(error, errors.OpError):
            assert not LEAKS.match(error.message), f"leaks {error}\n{example}"
        return Outcome(error=error)


def attrs_of(example):
    attrs = dict(example.attrs)
    if "stream" in attrs:  # each run starts it anew
        attrs["stream"] = type(attrs["stream"])(attrs["stream"].seeds)
    return attrs


def tensors_of(x, made=None):
    """Tensors in the place of arrays; those that are made go into `made`, too."""
    if isinstance(x, list):
        return [tensors_of(v, made) for v in x]
    if not is_array(x):
        return x
    tensor = constant(x)
    if made is not None:
        made.append(tensor)
    return tensor


class Traced:
    """An example in a graph.

    Args:
        example: the Example. known: "all", "rank" or "nothing" of the shapes.
    """

    def __init__(self, example, known):
        self.graph = FuncGraph("fuzz", MODE)
        self.known, self.feeds = known, []
        with dispatch.entered(self.graph):
            placed = [self._placed(x, i) for i, x in enumerate(example.inputs)]
            self.outputs = op_checks.call(example.row, placed, attrs_of(example))

    def _placed(self, x, i):
        if isinstance(x, list):
            return [self._placed(v, i) for v in x]
        if not is_array(x):
            return x
        self.feeds.append(x)
        shape = {"all": x.shape, "rank": (None,) * x.ndim}.get(self.known)
        return self.graph.add_input(from_numpy(x.dtype), shape, "x")

    def run(self, passes, policy):
        """The Outcome of running it."""
        graph = self.graph
        try:
            program = build(graph, self.outputs, (), graph.inputs, True)
            program = optimize(program) if passes else program
            plan = Plan(program, lambda cell: cell, policy)
            found = [np.asarray(a) for a in plan.run(self.feeds)]
        except ALLOWED as error:
            return Outcome(error=error)
        for cluster in plan.clusters:
            for entry in cluster.entries.values():
                assert entry.error is None, f"does not compile: {entry.error}"
        return Outcome(found)


def traced(example, known):
    """The Traced, or the Outcome if the graph cannot be built."""
    try:
        return Traced(example, known)
    except ALLOWED as error:
        return Outcome(error=error, early=True)


# ------------------------------------------------------------------ comparing
def check(example, known="all", compiled=False):
    """All engines agree on the example.

    Args:
        example: the Example.
        known: how much graphs know of the shapes: "all", "rank" or "nothing".
        compiled: whether to run it by XLA, too.
    Raises:
        AssertionError: they do not. Anything else: something crashed.
    """
    vague = known != "all"
    try:
        wanted = eager(example)
    except MemoryError:
        return  # sizes that no engine can hold
    graph = traced(example, known)
    if isinstance(graph, Outcome):
        _compare(example, wanted, graph, f"in a graph that knows {known}", vague)
        return
    if not graph.outputs:
        return  # nothing to run
    plain = graph.run(False, INTERPRET)
    if vague and _checked_by_python(example, wanted) and plain.error is None:
        return
    how = f"interpreted, in a graph that knows {known}"
    _compare(example, wanted, plain, how, vague and example.picky, vague)
    _compare(example, plain, graph.run(True, INTERPRET), "with passes")
    if compiled and plain.error is None:
        fast = graph.run(True, Policy(at_once=True))
        _compare(example, plain, fast, "by XLA", loose=True)


def _checked_by_python(example, outcome):
    """Whether a public function refused shapes that some graphs do not know."""
    return not isinstance(example.row.op, str) and isinstance(outcome.error, ValueError)


def _compare(example, a, b, how, may_refuse=False, loose=False):
    label = f"{how}:\n{example}\n{a}\n{how}: {b}"
    if b.error is not None:
        if a.error is None:
            assert may_refuse, f"fails only {label}"
        else:  # what knows less may refuse for another reason
            same = may_refuse or _same_kind(a.error, b.error)
            same = same or (b.early and isinstance(b.error, ValueError))
            assert same, f"another error {label}"
        return
    assert a.error is None, f"does not fail {label}"
    if loose and (_is_wild(example) or _label(example.row) in UNSURE):
        return
    assert len(a.arrays) == len(b.arrays), f"another number of results {label}"
    for x, y in zip(a.arrays, b.arrays, strict=True):
        assert x.dtype == y.dtype, f"another dtype {label}"
        assert x.shape == y.shape, f"another shape {label}"
        assert _near(example.row, x, y, loose), f"other values {label}"


def _same_kind(a, b):
    """Whether two errors mean the same; see the module."""
    if isinstance(a, errors.OpError):
        building = ValueError | TypeError | errors.InvalidArgumentError
        return isinstance(b, building | type(a))
    if isinstance(a, ValueError):
        return isinstance(b, ValueError | errors.InvalidArgumentError)
    return isinstance(b, type(a))


def _label(row):
    return row.name.rpartition("-")[0]


def _is_wild(example):
    """Whether rounding and the order of sums decide, or whether inf * 0 is met."""
    arrays = [a for x in example.inputs for a in (x if isinstance(x, list) else [x])]
    if "ssim" in example.row.name and any(a.dtype == np.int64 for a in arrays[:2]):
        return True  # its constants are below the smallest normal float: 0 in XLA
    numbers = [a for a in arrays if is_array(a) and a.dtype.kind in "fcV"]
    spreads = SPREADS.search(example.row.name) or any(
        a.dtype.kind == "c" for a in numbers
    )
    return spreads and any(not _is_moderate(a) for a in numbers)


def _is_moderate(a):
    size = np.abs(a.astype(np.complex128))
    return bool(np.all(np.isfinite(size) & (size < 1e4)))


def _near(row, a, b, loose):
    if a.dtype.kind not in "fcV":
        return np.array_equal(a, b)
    if a.tobytes() == b.tobytes() or not a.size:
        return True
    wide = np.complex128 if a.dtype.kind == "c" else np.float64
    x, y = a.astype(wide), b.astype(wide)
    finite = np.isfinite(x)
    if not np.array_equal(x[~finite], y[~finite], equal_nan=True):
        return False
    scale = max(1.0, float(np.abs(x[finite]).max(initial=0)))
    name = {"complex64": "float32", "complex128": "float64"}.get(
        str(a.dtype), str(a.dtype)
    )
    limit = row.tolerance(name) or TOLERANCE[name]
    worst = np.abs(x[finite] - y[finite]).max(initial=0) / scale
    return bool(worst <= (8 if loose else 1) * limit)
