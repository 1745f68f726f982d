"""Session: runs parts of a graph, and keeps the values of its variables."""

import contextlib
import warnings

import numpy as np

from twinflow.base import dispatch, nest
from twinflow.base.convert import to_array
from twinflow.base.tensor import Composite, ResourceHandle
from twinflow.base.waiting import limited
from twinflow.execute.homes import Home
from twinflow.execute.plan import Plan
from twinflow.execute.tiers import POLICY
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph import Graph
from twinflow.graph.node import GraphTensor, Node
from twinflow.graph.program import build
from twinflow.passes import optimize


class Session:
    """Runs a graph.

    Args:
        target: accepted; there is one process. graph: the Graph; the default one if not
            given. config: accepted.
    Example:
        with tf.Session() as sess: sess.run(y, feed_dict={x: 1.})
    """

    def __init__(self, target="", graph=None, config=None):
        self.graph = get_default_graph() if graph is None else graph
        if not isinstance(target, str | bytes):
            raise TypeError(f"target must be a string, but got {type(target)}")
        if not isinstance(self.graph, Graph):
            raise TypeError(f"graph must be a tf.Graph, but got {type(graph)}")
        self.sess_str, self.config = target, config
        self._home = Home()
        self._plans: dict = {}
        self._closed = False
        self._contexts: list = []

    # ------------------------------------------------------------------ life
    def __enter__(self):
        if self._contexts:
            raise RuntimeError(
                "Session context managers are not re-entrant. Use "
                "`Session.as_default()` if you want to enter a session multiple times."
            )
        graph = self.graph.as_default()
        graph.__enter__()
        _sessions().append(self)
        self._contexts.append(graph)
        return self

    def __exit__(self, *exc):
        _sessions().remove(self)
        self._contexts.pop().__exit__(*exc)
        self.close()

    def as_default(self):
        """A context in which `Tensor.eval` and `Operation.run` use this session."""
        return _Default(self)

    def close(self):
        """Free the values of the variables; runs that wait at a queue fail."""
        self._closed = True
        self._home.close()
        self._plans.clear()

    # ------------------------------------------------------------------ running
    def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
        """The values of `fetches`.

        Args:
            fetches: tensors, operations, variables or names, in any structure.
            feed_dict: dict from tensor (or name) to the value it is to have.
        Returns:
            The structure with ndarrays (NumPy scalars for 0-d); None for operations.
        Raises:
            RuntimeError: the session is closed or the graph is empty.
            ValueError, TypeError: a fetch or feed does not fit.
            tf.errors.OpError: what an op raised, naming the user's line.
        """
        if self._closed:
            raise RuntimeError("Attempted to use a closed Session.")
        if not self.graph.nodes:
            raise RuntimeError(
                "The Session graph is empty.  Add operations to the graph before "
                "calling run()."
            )
        flat = [_element(self.graph, f) for f in _flatten(fetches)]
        feeds = {_fed(self.graph, key): value for key, value in _feeds(feed_dict or {})}
        arrays = [_feed_array(t, v) for t, v in feeds.items()]
        plan = self._plan(tuple(flat), tuple(feeds))
        with _limit(options, self.config):
            values = iter(plan.run(arrays))
        out = [None if isinstance(f, Node) else _out(next(values)) for f in flat]
        return _packed(fetches, iter(out))

    def _plan(self, flat, feeds):
        found = self._plans.get((flat, feeds))
        if found is None:
            tensors = [f for f in flat if isinstance(f, GraphTensor)]
            targets = [f for f in flat if isinstance(f, Node)]
            program = build(self.graph, tensors, targets, feeds)
            found = Plan(optimize(program), self._home, POLICY, self.graph)
            self._plans[flat, feeds] = found
        return found

    def make_callable(self, fetches, feed_list=None, accept_options=False):
        """A function of the values of `feed_list` that returns `fetches`.

        With `accept_options` it takes `options=` and `run_metadata=` too, as `run`.
        """
        feed_list = list(feed_list or [])

        def run(*values, options=None, run_metadata=None):
            feeds = dict(zip(feed_list, values, strict=True))
            return self.run(fetches, feeds, options, run_metadata)

        return run if accept_options else lambda *values: run(*values)


class InteractiveSession(Session):
    """A Session that is the default one from the moment it is made."""

    def __init__(self, target="", graph=None, config=None):
        super().__init__(target, graph, config)
        if any(isinstance(s, InteractiveSession) for s in _sessions()):
            warnings.warn(
                "An interactive session is already active. This can cause out-of-memory"
                " errors in some cases. You must explicitly call "
                "`InteractiveSession.close()` to release resources held by the other "
                "session(s).",
                stacklevel=2,
            )
        _sessions().append(self)

    def close(self):
        """Free the values, and stop being the default."""
        if self in _sessions():
            _sessions().remove(self)
        super().close()


class _Default:
    def __init__(self, session):
        self.session = session

    def __enter__(self):
        _sessions().append(self.session)
        return self.session

    def __exit__(self, *exc):
        _sessions().remove(self.session)


def _sessions():
    local = dispatch.local
    if not hasattr(local, "sessions"):
        local.sessions = []
    return local.sessions


def get_default_session():
    """The innermost session that is the default of this thread, or None."""
    stack = _sessions()
    return stack[-1] if stack else None


def _limit(options, config):
    """The block of a run: how long it may wait for other threads."""
    limit = getattr(options, "timeout_in_ms", 0)
    limit = limit or getattr(config, "operation_timeout_in_ms", 0)
    return limited(limit / 1000) if limit else contextlib.nullcontext()


def _flatten(fetches):
    if isinstance(fetches, Composite):
        yield from (c for c in fetches._components() if c is not None)
    elif isinstance(fetches, dict):
        for v in fetches.values():
            yield from _flatten(v)
    elif isinstance(fetches, list | tuple):
        for v in fetches:
            yield from _flatten(v)
    else:
        yield fetches


def _packed(fetches, values):
    if isinstance(fetches, Composite):
        parts = fetches._components()
        return fetches._value(*[None if c is None else next(values) for c in parts])
    if isinstance(fetches, dict):
        return type(fetches)((k, _packed(v, values)) for k, v in fetches.items())
    if isinstance(fetches, list | tuple):
        found = [_packed(v, values) for v in fetches]
        if hasattr(fetches, "_fields"):
            return type(fetches)(*found)
        return found if isinstance(fetches, list) else tuple(found)
    return next(values)


def _element(graph, fetch):
    if fetch is None:
        raise TypeError("Fetch argument None has invalid type <class 'NoneType'>")
    try:
        fetch = fetch.decode() if isinstance(fetch, bytes) else fetch
        found = graph.as_graph_element(fetch)
    except TypeError as error:
        raise TypeError(
            f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}, must be a "
            f"string or Tensor. ({error})"
        ) from None
    except ValueError as error:
        raise ValueError(
            f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. ({error})"
        ) from None
    except KeyError as error:
        raise ValueError(
            f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. ({error})"
        ) from None
    if not graph.is_fetchable(found):
        raise ValueError(
            f"Operation {_node(found).name!r} has been marked as not fetchable."
        )
    return found


def _node(x):
    return x.op if isinstance(x, GraphTensor) else x


def _feeds(feed_dict):
    for key, value in feed_dict.items():
        if isinstance(key, Composite):
            pairs = zip(key._components(), value, strict=False)  # a shape may be known
            yield from (pair for pair in pairs if pair[0] is not None)
        elif isinstance(key, tuple | list):
            yield from zip(nest.flatten(key), nest.flatten(value), strict=True)
        else:
            yield key, value


def _fed(graph, key):
    try:
        found = graph.as_graph_element(key, allow_operation=False)
    except (TypeError, ValueError, KeyError) as error:
        raise TypeError(f"Cannot interpret feed_dict key as Tensor: {error}") from None
    if not graph.is_feedable(found):
        raise ValueError(f"Tensor {found} may not be fed.")
    return found


def _feed_array(t, value):
    if isinstance(value, GraphTensor | ResourceHandle):
        raise TypeError(
            "The value of a feed cannot be a tf.Tensor object. Acceptable feed values "
            "include Python scalars, strings, lists, numpy ndarrays, or TensorHandles. "
            f"For reference, the tensor object was {value!r} which was passed to the "
            f"feed with key {t!r}."
        )
    array = _cast(t, value)
    if not _fits(t._shape, array.shape):
        raise ValueError(
            f"Cannot feed value of shape {array.shape!r} for Tensor {t.name!r}, which "
            f"has shape '{t.shape}'"
        )
    return array


def _cast(t, value):
    """The value of a feed in the dtype of `t`: as NumPy converts it."""
    if value is None or t.dtype.np is None or t.dtype.np.kind == "O":
        return to_array(value, t.dtype)[0]
    try:
        lost = isinstance(value, int) and t.dtype.np.type(value) != value
    except OverflowError:
        lost = True
    if lost:
        raise TypeError(
            f"Type of feed value {value} with type {type(value)} is not compatible with"
            f" Tensor type {t.dtype.as_numpy_dtype}. Try explicitly setting the type of"
            " the feed tensor to a larger type (e.g. int64)."
        )
    return np.array(value, t.dtype.np)


def _fits(shape, found):
    if shape is None:
        return True
    pairs = zip(shape, found, strict=False)
    return len(shape) == len(found) and all(d is None or d == n for d, n in pairs)


def _out(value):
    """What leaves is copied (see EagerTensor)."""
    a = np.asarray(value)
    return a[()] if a.ndim == 0 else a.copy()
