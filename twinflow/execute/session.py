"""Session: runs parts of a graph, and keeps the values of its variables."""

import contextlib
import threading
import warnings
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

from twinflow.base import dispatch
from twinflow.base.advice import advised
from twinflow.base.blocking import limited, owned
from twinflow.base.collecting import no_full_collection
from twinflow.base.tensor import Tensor
from twinflow.execute import graph_warnings
from twinflow.execute.default_sessions import (  # noqa: F401 - a public name
    SESSIONS,
    get_default_session,
)
from twinflow.execute.feeds import array_of as _feed_array
from twinflow.execute.feeds import fed as _fed
from twinflow.execute.feeds import pairs as _feeds
from twinflow.execute.fetched_values import as_fed
from twinflow.execute.fetched_values import leaving as _out
from twinflow.execute.fetches import CONVERSIONS
from twinflow.execute.fetches import element as _element
from twinflow.execute.fetches import flatten as _flatten
from twinflow.execute.fetches import packed as _packed
from twinflow.execute.places import of_session
from twinflow.execute.plan import Plan
from twinflow.execute.session_base import SessionBase
from twinflow.execute.session_card import card_of
from twinflow.execute.session_config import device_names, limit_of, say_places
from twinflow.execute.step_stats import observed
from twinflow.execute.tiers import POLICY
from twinflow.graph.node import GraphTensor, Node
from twinflow.graph.program import build
from twinflow.passes import optimize


class Session(SessionBase):
    """Runs a graph.

    Args:
        target: "", or that of a tf.train.Server of this or another process.
        graph: the Graph; the default one if not given. config: a tf.ConfigProto.
    Example:
        x = tf.placeholder(tf.float32, [])
        with tf.Session() as sess: sess.run(x * 2., feed_dict={x: 1.})  # 2.0
    """

    def _repr_html_(self) -> str:
        return card_of(self)

    # ------------------------------------------------------------------ running
    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None,
        run_metadata: Any = None,
    ) -> Any:  # fmt: skip
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
            self._refuse()
        known = None if CONVERSIONS else self._known(fetches, feed_dict)
        flat, plan, arrays = known or self._prepared(fetches, feed_dict)
        values = iter(self._values(plan, arrays, options, run_metadata))
        out = [None if type(f) is Node else _out(next(values), f, self) for f in flat]
        if plan.given:  # what is fetched and fed comes back as the array it was
            out = [as_fed(v) if f in plan.given else v for f, v in zip(flat, out)]
        if known:
            kind = type(fetches)
            return out if kind is list else tuple(out) if kind is tuple else out[0]
        return _packed(fetches, iter(out))

    def _values(self, plan: Plan, arrays: list, options: Any, metadata: Any) -> list:
        watched, owner = not (options is None and metadata is None), self._home.owner
        if not watched and self.config is None and owner is None:
            return plan.use_up(arrays)
        with _limit(options, self.config, owner):
            if watched:
                return observed(self, plan, arrays, options, metadata)
            return plan.use_up(arrays)

    def _known(self, fetches: Any, feed_dict: Any) -> Any:
        """As `_prepared`, where a run before had these tensors and nodes, in a list, a
        tuple or alone; None for all others."""
        kind = type(fetches)
        flat = tuple(fetches) if kind is list or kind is tuple else (fetches,)
        if feed_dict and type(feed_dict) is not dict:
            return None
        try:
            plan = self._plans.get((flat, tuple(feed_dict or ())))
        except TypeError:  # an inner list
            return None
        if plan is None or plan.refused != self._refused():
            return None
        items = feed_dict.items() if feed_dict else ()
        return flat, plan, [_feed_array(t, v) for t, v in items]

    def _refused(self) -> tuple[int, int]:
        """How much may not be fetched or fed: it only grows."""
        return len(self.graph.not_fetchable), len(self.graph.not_feedable)

    def _prepared(self, fetches: Any, feed_dict: Any) -> tuple:
        """What is fetched as a tuple, the Plan, and the arrays that are fed."""
        if not self.graph.nodes:
            raise advised(
                RuntimeError,
                "The Session graph is empty.  Add operations to the graph before "
                "calling run().",
            )
        flat = tuple([_element(self.graph, f) for f in _flatten(fetches)])
        feeds = {_fed(self.graph, key): value for key, value in _feeds(feed_dict or {})}
        arrays = [_feed_array(t, v) for t, v in feeds.items()]
        return flat, self._plan(flat, tuple(feeds)), arrays

    def _plan(self, flat: tuple, feeds: tuple[Tensor, ...]) -> Plan:
        found = self._plans.get((flat, feeds))
        return self._new_plan(flat, feeds) if found is None else found

    def _new_plan(self, flat: tuple, feeds: tuple[Tensor, ...]) -> Plan:
        elsewhere = self._home.plan(self, flat, feeds)
        if elsewhere is not None:
            elsewhere.given = {f for f in flat if f in feeds}
            elsewhere.refused = self._refused()
            self._plans[flat, feeds] = elsewhere
            return elsewhere
        with no_full_collection():
            tensors = [f for f in flat if isinstance(f, GraphTensor)]
            targets = [f for f in flat if isinstance(f, Node)]
            self._check_places()
            program = build(self.graph, tensors, targets, feeds)
            places = of_session(device_names(self.config))
            say_places(program, self.config, places)
            found = Plan(
                optimize(program), self._home, POLICY, self.graph, places=places
            )
            found.given = {f for f in flat if f in feeds}
            found.refused = self._refused()
            self._plans[flat, feeds] = found
            graph_warnings.look(self.graph, found)
            return found


class InteractiveSession(Session):
    """A Session that is the default one from the moment it is made until it is closed.

    Args:
        target, graph, config: see Session; a graph becomes the default one too.
    """

    _active_session_count = 0
    _count_lock = threading.Lock()

    def __init__(self, target: str = "", graph: Any = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        with InteractiveSession._count_lock:
            if InteractiveSession._active_session_count > 0:
                warnings.warn(
                    "An interactive session is already active. This can cause "
                    "out-of-memory errors in some cases. You must explicitly call "
                    "`InteractiveSession.close()` to release resources held by the "
                    "other session(s).",
                    stacklevel=2,
                )
            InteractiveSession._active_session_count += 1
        self._frame = None if graph is None else dispatch.enter(graph)
        SESSIONS.stack.append(self)
        self._is_default = True

    def close(self) -> None:
        """Free the values, and stop being the default."""
        super().close()
        if self._is_default:
            self._is_default = False
            with InteractiveSession._count_lock:
                InteractiveSession._active_session_count -= 1
            if self in SESSIONS.stack:
                SESSIONS.stack.remove(self)
            if self._frame is not None:
                dispatch.leave(self._frame)


_FREE: AbstractContextManager = contextlib.nullcontext()


def _limit(options: Any, config: Any, owner: Any) -> AbstractContextManager:
    """The block of a run: how long it may wait for other threads, and whose it is."""
    limit = limit_of(options, config)
    if owner is None:
        return limited(limit / 1000) if limit else _FREE
    return _owned(limit, owner)


@contextlib.contextmanager
def _owned(limit: int, owner: Any) -> Iterator[None]:
    with owned(owner), limited(limit / 1000) if limit else contextlib.nullcontext():
        yield
