"""Scaffold: the ops that a MonitoredSession needs, made where none is given."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from twinflow.base import logging
from twinflow.checkpoint.saver import Saver
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.scopes import add_to_collection, group
from twinflow.ops.core.joining import concat
from twinflow.ops.tables.initialized import tables_initializer
from twinflow.ops.variables.collections import (
    GraphKeys,
    get_collection,
    global_variables,
    global_variables_initializer,
    local_variables_initializer,
)
from twinflow.ops.variables.initialized import report_uninitialized_variables
from twinflow.ops.variables.resources import (
    initialize_resources,
    local_resources,
    report_uninitialized_resources,
    shared_resources,
)
from twinflow.summary.summaries import merge_all

if TYPE_CHECKING:
    from twinflow.graph.node import Node

_PARTS = (
    "init_op", "ready_op", "ready_for_local_init_op", "local_init_op", "summary_op",
    "saver", "init_feed_dict",
)  # fmt: skip


class Scaffold:
    """What starts and saves a model; `finalize` makes what was not given.

    Args:
        init_op, init_feed_dict: initialise the variables.
        init_fn: (scaffold, session) -> None, called after `init_op`.
        ready_op: the names of variables that are not initialised, string[n].
        ready_for_local_init_op: of those that must be before `local_init_op`.
        local_init_op: initialises local variables and tables.
        summary_op: string scalar, all summaries. saver: the Saver.
        copy_from_scaffold: another one, for what is not given.
    """

    def __init__(
        self, init_op: Any = None, init_feed_dict: Any = None, init_fn: Any = None,
        ready_op: Any = None, ready_for_local_init_op: Any = None,
        local_init_op: Any = None, summary_op: Any = None, saver: Any = None,
        copy_from_scaffold: Any = None,
    ) -> None:  # fmt: skip
        old = copy_from_scaffold
        if old is not None and not isinstance(old, Scaffold):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")
        given = (
            init_op, ready_op, ready_for_local_init_op, local_init_op, summary_op,
            saver, init_feed_dict,
        )  # fmt: skip
        for name, value in zip(_PARTS, given, strict=True):
            value = getattr(old, name) if value is None and old is not None else value
            setattr(self, f"_{name}", value)
        self._user_init_fn = init_fn or (old._user_init_fn if old else None)
        self._init_fn = init_fn and (lambda sess: init_fn(self, sess))
        if self._init_fn is None and old is not None:
            self._init_fn = old.init_fn

    def finalize(self) -> "Scaffold":
        """Make what was not given, and finalise the graph; returns self."""
        keys, default = GraphKeys, Scaffold.get_or_default
        if self._init_op is None:
            self._init_op = default("init_op", keys.INIT_OP, _init)
        if self._ready_op is None:
            self._ready_op = default("ready_op", keys.READY_OP, _ready)
        if self._ready_for_local_init_op is None:
            self._ready_for_local_init_op = default(
                "ready_for_local_init_op", keys.READY_FOR_LOCAL_INIT_OP, _globals_ready
            )
        if self._local_init_op is None:
            self._local_init_op = default(
                "local_init_op", keys.LOCAL_INIT_OP, Scaffold.default_local_init_op
            )
        if self._summary_op is None:
            self._summary_op = default("summary_op", keys.SUMMARY_OP, merge_all)
        if self._saver is None:
            self._saver = saver_or_default()
        self._saver.build()
        get_default_graph().finalize()
        logging.info("Graph was finalized.")
        return self

    init_fn = property(lambda self: self._init_fn, doc="session -> None, or None.")
    init_op = property(lambda self: self._init_op, doc="Initialises the variables.")
    ready_op = property(lambda self: self._ready_op, doc="What is not initialised.")
    ready_for_local_init_op = property(
        lambda self: self._ready_for_local_init_op,
        doc="What is not, of what must be before `local_init_op`.",
    )
    local_init_op = property(
        lambda self: self._local_init_op, doc="Initialises local variables and tables."
    )
    summary_op = property(lambda self: self._summary_op, doc="All summaries.")
    saver = property(lambda self: self._saver, doc="The Saver.")
    init_feed_dict = property(
        lambda self: self._init_feed_dict, doc="What `init_op` is fed."
    )

    @staticmethod
    def get_or_default(
        arg_name: str, collection_key: str, default_constructor: Callable[..., Any]
    ) -> Any:
        """The one element of a collection, or a new one that is put there.

        Raises:
            RuntimeError: there are several.
        """
        found = get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError(
                f'More than one item in the collection "{collection_key}". Please '
                f"indicate which one to use by passing it to the tf.Scaffold "
                f"constructor as:  tf.Scaffold({arg_name}=item to use)"
            )
        if found:
            return found[0]
        made = default_constructor()
        if made is not None:
            add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op() -> "Node":
        """An op that initialises local variables and tables."""
        return group(
            local_variables_initializer(),
            tables_initializer(),
            initialize_resources(local_resources()),
        )


def _init():
    return group(
        global_variables_initializer(), initialize_resources(shared_resources())
    )


def _ready():
    return concat(
        [report_uninitialized_variables(), report_uninitialized_resources()], 0
    )


def _globals_ready():
    return report_uninitialized_variables(global_variables())


def saver_or_default():
    found = get_collection(GraphKeys.SAVERS)
    if len(found) > 1:
        raise RuntimeError(
            f"More than one item in collection {GraphKeys.SAVERS}. Please indicate "
            "which one to use by passing it to the constructor."
        )
    if found:
        return found[0]
    saver = Saver(sharded=True, allow_empty=True)
    add_to_collection(GraphKeys.SAVERS, saver)
    return saver
