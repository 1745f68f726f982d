"""Rows in graphs that do not know their shapes: one graph, run with two sizes.

A row's graph is built once with placeholders whose dimensions are unknown, then with
placeholders of unknown rank, then with placeholders for the host inputs, too. A session
runs it with the sample of the row and with a second sample of another size, and must
give what eager mode gives, gradients included.
"""

import itertools

import numpy as np

from tests.support import op_checks
from tests.support.engine_checks import assert_near, samples
from twinflow.autodiff.tape import GradientTape
from twinflow.base import dispatch, dtypes
from twinflow.base.errors import InvalidArgumentError
from twinflow.base.tensor import Tensor
from twinflow.eager.mode import MODE
from twinflow.eager.tensor import EagerTensor, wrap
from twinflow.execute.session import Session
from twinflow.graph.gradients import gradients
from twinflow.graph.graph import Graph
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import convert_to_tensor, identity

DIMENSIONS, RANK, HOSTS = "dimensions", "rank", "host inputs"
MOST_TENSORS = 4  # whose every subset is tried


# ------------------------------------------------------------------ the second sample
def second_sample(row, first):
    """Inputs of other sizes that the row takes, or None.

    Tensors are made longer or shorter along their first axis (or shorter along all),
    all of them or some; which makes sense is what the eager op accepts.
    """
    tensors = resizable(first)
    sizes = [t._shape[0] for t in tensors]
    chosen = [set(range(len(tensors)))]
    chosen += [{i for i, n in enumerate(sizes) if n == size} for size in set(sizes)]
    if len(tensors) <= MOST_TENSORS:
        for count in range(len(tensors) - 1, 0, -1):
            chosen += map(set, itertools.combinations(range(len(tensors)), count))
    ways = _tiled, _repeated, _halved, _corner
    for places, resize in itertools.product(chosen, ways):
        other = {id(tensors[i]): resize(tensors[i]) for i in places}
        found = _mapped(first, other)
        if _sizes(found) != _sizes(first) and _accepts(row, found):
            return found
    return None


def resizable(inputs):
    """The tensors with a first axis that is not empty."""
    return [t for t in _leaves(inputs) if t._shape and t._shape[0]]


def _tiled(t):
    return wrap(np.concatenate([t._a, t._a]), t.dtype)


def _repeated(t):
    return wrap(np.repeat(t._a, 2, 0), t.dtype)


def _halved(t):
    return wrap(t._a[: (t._shape[0] + 1) // 2], t.dtype)


def _corner(t):
    return wrap(t._a[tuple(slice((n + 1) // 2) for n in t._shape)], t.dtype)


def _sizes(inputs):
    return [t._shape for t in _leaves(inputs)]


def _accepts(row, inputs):
    try:
        eagerly(row, inputs)
    except Exception:
        return False
    return True


def _leaves(inputs):
    for x in inputs:
        if isinstance(x, list):
            yield from _leaves(x)
        elif isinstance(x, EagerTensor):
            yield x


def _mapped(x, other):
    """`x` with other things in place of tensors, by their id."""
    if isinstance(x, list):
        return [_mapped(v, other) for v in x]
    return other.get(id(x), x)


def has_hosts(row):
    """Whether the row's op has inputs like shapes and axes."""
    op = op_checks.as_op(row)
    return op is not None and any(arg.host for arg in op.sig.inputs)


def _with_hosts(row, inputs):
    """The inputs with tensors in place of host values."""
    op = op_checks.as_op(row)
    kinds = {**op.sig.attrs, **row.attrs}
    out = list(inputs)
    with dispatch.entered(MODE):
        for i, arg in enumerate(op.sig.inputs):
            if arg.host:
                empty = None if np.size(inputs[i]) else dtypes.int32
                dtype = arg.dtype or kinds.get(arg.type_attr) or empty
                out[i] = convert_to_tensor(inputs[i], dtype)
    return out


# ------------------------------------------------------------------ both modes
def eagerly(row, inputs):
    """(results, gradients) of the row in eager mode, as arrays."""
    with dispatch.entered(MODE):
        with GradientTape() as tape:
            xs = _differentiated(row, inputs)
            tape.watch(xs)
            ys = list(map(identity, op_checks.call(row, inputs, _attrs(row))))
        slopes = _smooth(ys)
        found = tape.gradient(slopes, xs) if xs and slopes else []
        arrays = [convert_to_tensor(g)._a for g in found if g is not None]
    return [y._a for y in ys], arrays


def _differentiated(row, inputs):
    places = op_checks.differentiated(row)
    return list(_leaves([inputs[i] for i in places if _is_given(inputs[i])]))


def _is_given(x):
    return isinstance(x, Tensor | list)


def _smooth(ys):
    return [y for y in ys if y.dtype.is_floating]


def _attrs(row):
    attrs = dict(row.attrs)
    if "stream" in attrs:
        attrs["stream"] = type(attrs["stream"])(attrs["stream"].seeds)
    return attrs


class PartialGraph:
    """A row in a graph whose placeholders know little.

    Args:
        row: the row. first: its inputs as eager tensors. unknown: DIMENSIONS or RANK.
    Raises:
        ValueError, TypeError: the row needs to know more.
    """

    def __init__(self, row, first, unknown):
        self.row, self.graph = row, Graph()
        self.feeds: list = []
        with self.graph.as_default():
            other = {id(t): self._placed(t, unknown) for t in _leaves(first)}
            placed = _mapped(first, other)
            self.ys = list(map(identity, op_checks.call(row, placed, _attrs(row))))
            self.slopes = self._slopes(placed)

    def _placed(self, t, unknown):
        shape = None if unknown == RANK else (None,) * len(t._shape)
        self.feeds.append(placeholder(t.dtype, shape))
        return self.feeds[-1]

    def _slopes(self, placed):
        places = op_checks.differentiated(self.row)
        xs = list(_symbolic([placed[i] for i in places]))
        ys = _smooth(self.ys)
        if not (xs and ys):
            return []
        found = gradients(ys, xs)
        return [self.graph.tensor(g) for g in found if g is not None]

    def run(self, session, inputs):
        """(results, gradients) for the values of `inputs`."""
        feeds = dict(zip(self.feeds, [t._a for t in _leaves(inputs)], strict=True))
        return session.run((self.ys, self.slopes), feeds)


def _symbolic(inputs):
    for x in inputs:
        if isinstance(x, list):
            yield from _symbolic(x)
        elif isinstance(x, Tensor):
            yield x


# ------------------------------------------------------------------ checks
def check_partial(row, unknown):
    """One graph, run with two samples, gives what eager mode gives.

    Returns:
        Whether there was a second sample, of another size.
    """
    first = samples(row, row.dtypes[0])
    if unknown == HOSTS:
        first = _with_hosts(row, first)
    if row.needs and (unknown == RANK or row.needs == "shape"):
        _check_refused(row, first, unknown)
        return True
    second = second_sample(row, first)
    graph = PartialGraph(row, first, unknown)
    compare(row, graph, first)
    if second is not None:
        compare(row, graph, second)
    return second is not None


def compare(row, graph, inputs):
    """A graph of the row gives what eager mode gives."""
    results = graph.run(Session(graph=graph.graph), inputs)
    for found, wanted in zip(results, eagerly(row, inputs), strict=True):
        assert len(found) == len(wanted), f"{row.name}: {len(found)} {len(wanted)}"
        for a, b in zip(found, map(np.asarray, wanted), strict=True):
            a = np.asarray(a, object) if b.dtype == object else np.asarray(a)
            assert_near(row, b, a, f"eager and in a graph, of {_sizes(inputs)}")


def _check_refused(row, inputs, unknown):
    try:
        graph = PartialGraph(row, inputs, unknown)
        graph.run(Session(graph=graph.graph), inputs)
    except (ValueError, NotImplementedError, InvalidArgumentError):
        return
    raise AssertionError(f"{row.name} does not need its {row.needs}")
