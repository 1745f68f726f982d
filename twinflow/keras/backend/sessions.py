"""The session of Keras, and the values of variables in it."""

import weakref
from typing import Any

import numpy as np

from twinflow.base.dispatch import current_mode
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import ResourceHandle, Tensor
from twinflow.execute.default_sessions import get_default_session
from twinflow.execute.session import Session
from twinflow.execute.session_config import soft_placement
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.scopes import control_dependencies, group
from twinflow.ops.core.constant import identity
from twinflow.ops.variables.collections import GraphKeys, variables_initializer
from twinflow.ops.variables.state import assign, is_variable_initialized

_seen: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
_TRACKED = "variables of layers"  # in the state of a graph


class _Chosen:
    session = None
    manual = False


def set_session(session: Any) -> None:
    """Choose the session that Keras works in."""
    _Chosen.session = session


def manual_variable_initialization(value: TensorValue) -> None:
    """Choose whether the program initializes the variables itself."""
    _Chosen.manual = bool(value)


def get_session() -> Session:
    """The default session, or else the one of Keras; variables are initialized in it.

    Raises:
        RuntimeError: in eager mode.
    """
    session = get_default_session()
    if session is None:
        if current_mode().eager:
            raise RuntimeError("There are no sessions in eager mode.")
        session = _Chosen.session
        if session is None or session.graph is not get_default_graph():
            session = _Chosen.session = Session(config=soft_placement())
    if not _Chosen.manual:
        initialize(session)
    return session


def track(graph, variable):
    """Let a variable that is in collections of its own be initialized all the same."""
    graph.state.setdefault(_TRACKED, []).append(variable)


def known_variables(graph):
    """The variables that Keras initializes."""
    found = graph.get_collection(GraphKeys.GLOBAL_VARIABLES)
    return [*found, *graph.state.get(_TRACKED, ())]


def initialize(session):
    """Initialize the variables that were not initialized and are new here."""
    seen = _seen.setdefault(session, set())
    new = [v for v in known_variables(session.graph) if id(v) not in seen]
    if not new:
        return
    with session.graph.as_default():
        there = session.run([is_variable_initialized(v) for v in new])
        missing = [v for v, found in zip(new, there, strict=True) if not found]
        if missing:
            session.run(variables_initializer(missing))
    seen.update(id(v) for v in new)


# ------------------------------------------------------------------ values
def get_value(x: TensorValue) -> Any:
    """The value of a variable or tensor, an array."""
    if current_mode().eager:
        return x.numpy()
    return get_session().run(x)


def eval(x: TensorValue) -> Any:
    """The value of a variable or tensor, an array."""
    return get_value(x)


def batch_get_value(tensors: TensorValue) -> Any:
    """The values of several variables or tensors."""
    if current_mode().eager:
        return [x.numpy() for x in tensors]
    return get_session().run(list(tensors)) if tensors else []


def set_value(x: TensorValue, value: TensorValue) -> None:
    """Give a variable a value."""
    batch_set_value([(x, value)])


def batch_set_value(tuples: Any) -> None:
    """Give several variables values: pairs of (variable, value)."""
    pairs = [(x, np.asarray(v, x.dtype.base_dtype.np)) for x, v in tuples]
    if current_mode().eager:
        for x, value in pairs:
            x.assign(value)
        return
    pairs = [pair for x, value in pairs for pair in _copies(x, value)]
    while pairs:
        pairs = _loaded(pairs, get_session())


def _copies(variable, value):
    """Pairs of (variable, value): of all copies, where a variable has several."""
    loads = getattr(variable, "loads", None)
    return [(variable, value)] if loads is None else loads(value)


def _loaded(pairs, session):
    """Load the variables in one run; what is left: those with a value fed already."""
    ops, feed, left = [], {}, []
    for x, value in pairs:
        start = x.initializer.inputs[1]
        if start in feed:
            left.append((x, value))
        else:
            ops.append(x.initializer)
            feed[start] = value
    session.run(ops, feed)
    return left


# ------------------------------------------------------------------ functions
class Function:
    """What `function` gives: callable with the values of the inputs."""

    def __init__(self, inputs, outputs, updates, name, options):
        self.inputs, self.outputs = list(inputs), list(outputs)
        self.name, self._options = name or "function", options
        self.fetches = list(options.get("fetches") or [])
        self.fetch_callbacks = {}  # functions of the values of further fetches
        with control_dependencies(self.outputs):
            pairs = [_as_op(update) for update in updates or []]
            self.updates_op = group(*pairs)

    def __call__(self, inputs):
        if not isinstance(inputs, list | tuple):
            raise TypeError("`inputs` should be a list or tuple.")
        session = get_session()
        pairs = zip(self.inputs, resolved(inputs, session), strict=True)
        feed = {t: value for t, value in pairs if value is not None}
        return self.run(session, feed)[0]

    def run(self, session, feed, more=()):
        """(the values of the outputs, those of `more`), with the updates made."""
        options = self._options
        found, _, others = session.run(
            [self.outputs, self.updates_op, [*more, *self.fetches]],
            feed | (options.get("feed_dict") or {}),
            options.get("options"), options.get("run_metadata"),
        )  # fmt: skip
        for fetch, value in zip(self.fetches, others[len(more) :], strict=True):
            if fetch in self.fetch_callbacks:
                self.fetch_callbacks[fetch](value)
        return found, others[: len(more)]


def resolved(values, session):
    """The values, with tensors replaced by what they are in this run."""
    tensors = [v for v in values if isinstance(v, Tensor | ResourceHandle)]
    if not tensors:
        return values
    found = dict(zip(map(id, tensors), session.run(tensors), strict=True))
    return [found.get(id(v), v) for v in values]


def _as_op(update):
    return assign(*update) if isinstance(update, tuple) else update


def function(
    inputs: TensorValue, outputs: Any, updates: TensorValue | None = None, **kwargs: Any
) -> Function:
    """A function from the values of placeholders to those of tensors.

    Args:
        inputs: placeholders. outputs: tensors.
        updates: ops or pairs of (variable, new value) to be run too.
        kwargs: `name`, and `feed_dict`, `fetches`, `options` and `run_metadata` as for
            Session.run.
    Raises:
        ValueError: an argument is not known. TypeError: one is no list.
    """
    check_options(kwargs)
    for given, what in (
        (inputs, "`inputs` to"),
        (outputs, "`outputs` of"),
        (updates or [], "`updates` in"),
    ):
        if not isinstance(given, list | tuple):
            raise TypeError(
                f"{what} a TensorFlow backend function should be a list or tuple."
            )
    outputs = [identity(y) if hasattr(y, "assign") else y for y in outputs]
    return Function(inputs, outputs, updates, kwargs.get("name"), kwargs)


def check_options(options):
    """Raise ValueError for what neither `function` nor Session.run takes."""
    for key in options:
        if key not in ("name", "feed_dict", "fetches", "options", "run_metadata"):
            raise ValueError(
                f'Invalid argument "{key}" passed to K.function with TensorFlow backend'
            )
