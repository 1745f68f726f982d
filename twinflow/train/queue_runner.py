"""Queue runners: threads that fill queues."""

import threading
import weakref
from typing import TYPE_CHECKING, Any

from twinflow.base import dispatch, errors, logging
from twinflow.base.advice import advised
from twinflow.execute.session import Session, get_default_session
from twinflow.formats.protos import QueueRunnerDef
from twinflow.graph.defaults import get_default_graph
from twinflow.graph.graph_def.proto_functions import register_proto_function
from twinflow.graph.scopes import add_to_collection
from twinflow.ops.variables.collections import GraphKeys, get_collection

if TYPE_CHECKING:
    from twinflow.graph.node import Node
    from twinflow.ops.queues.kinds import FIFOQueue


class QueueRunner:
    """One thread for each of some enqueue ops, which it runs again and again.

    When the op says that the input is over, the last thread closes the queue; what is
    in it can still be taken out. Other errors stop the Coordinator.

    Args:
        queue: the QueueBase. enqueue_ops: the ops, one per thread; an op that stands
            there twice is run by two.
        close_op, cancel_op: what closes the queue; made here by default.
        queue_closed_exception_types: the errors that mean the end of the input:
            tf.errors.OutOfRangeError, and CancelledError if it is listed.
        queue_runner_def: a QueueRunnerDef, in place of all others.
        import_scope: a prefix of the names in it.
    Raises:
        RuntimeError: eager execution is enabled. ValueError, TypeError: see above.
    Example:
        q = tf.FIFOQueue(10, tf.float32, [[]])
        runner = tf.train.QueueRunner(q, [q.enqueue(1.0)] * 4)
        sess, coord = tf.Session(), tf.train.Coordinator()
        threads = runner.create_threads(sess, coord, start=True)
        sess.run(q.dequeue())  # 1.0
        coord.request_stop()
        coord.join(threads)
    """

    def __init__(
        self, queue: Any = None, enqueue_ops: Any = None, close_op: Any = None,
        cancel_op: Any = None, queue_closed_exception_types: Any = None,
        queue_runner_def: Any = None, import_scope: Any = None,
    ) -> None:  # fmt: skip
        if dispatch.current_mode().eager:
            raise RuntimeError(
                "QueueRunners are not supported when eager execution is enabled. "
                "Instead, please use tf.data to get data into your model."
            )
        self._lock = threading.Lock()
        self._exceptions_raised: list[Any] = []
        self._running: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
        if queue_runner_def is None:
            self._init_from_args(
                queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types
            )
        elif queue or enqueue_ops:
            raise ValueError("queue_runner_def and queue are mutually exclusive.")
        else:
            self._init_from_proto(queue_runner_def, import_scope)

    def _init_from_args(self, queue, enqueue_ops, close_op, cancel_op, ends):
        if not queue or not enqueue_ops:
            raise ValueError("Must provide queue and enqueue_ops.")
        self._queue, self._enqueue_ops = queue, enqueue_ops
        self._close_op = queue.close() if close_op is None else close_op
        if cancel_op is None:
            cancel_op = queue.close(cancel_pending_enqueues=True)
        self._cancel_op = cancel_op
        self._ends = ends or (errors.OutOfRangeError,)
        if not isinstance(self._ends, tuple) or not all(map(_is_error, self._ends)):
            raise TypeError(
                "queue_closed_exception_types, when provided, must be a tuple of "
                f"tf.error types, but saw: {ends}"
            )

    def _init_from_proto(self, proto, scope):
        if not isinstance(proto, QueueRunnerDef):
            raise TypeError(
                f"queue_runner_def must be a QueueRunnerDef, got {proto!r}."
            )
        find, prefix = (
            get_default_graph().as_graph_element,
            f"{scope}/" if scope else "",
        )
        self._queue = find(prefix + proto.queue_name)
        self._enqueue_ops = [find(prefix + n) for n in proto.enqueue_op_name]
        self._close_op = find(prefix + proto.close_op_name)
        self._cancel_op = find(prefix + proto.cancel_op_name)
        codes = proto.queue_closed_exception_types or [errors.OUT_OF_RANGE]
        self._ends = tuple(map(errors.exception_type_from_error_code, codes))

    # ------------------------------------------------------------------ looking
    @property
    def queue(self) -> "FIFOQueue":
        """The queue."""
        return self._queue

    @property
    def enqueue_ops(self) -> "list[Node]":
        """The ops that the threads run."""
        return self._enqueue_ops

    @property
    def close_op(self) -> "Node":
        """What closes the queue at the end of the input."""
        return self._close_op

    @property
    def cancel_op(self) -> "Node":
        """What closes the queue when the Coordinator stops."""
        return self._cancel_op

    @property
    def queue_closed_exception_types(self) -> tuple[type[Any], ...]:
        """The errors that mean the end of the input."""
        return self._ends

    @property
    def exceptions_raised(self) -> list[errors.OpError]:
        """What the threads died of that have no Coordinator to tell."""
        return self._exceptions_raised

    @property
    def name(self) -> str:
        """The name of the queue's node."""
        return self._queue.name

    # ------------------------------------------------------------------ threads
    def create_threads(
        self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> list[Any]:
        """Make the threads for a session, unless they are running.

        Args:
            sess: the Session. coord: the Coordinator that stops them and is told what
                they die of. daemon: let the program end while they run.
            start: start them.
        Returns:
            A list of threads; with `coord` one more, which closes the queue.
        """
        with self._lock:
            if self._running.get(sess, 0) > 0:
                return []
            self._running[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        found = [
            self._thread(op.name, self._run, sess, i, coord)
            for i, op in enumerate(self._enqueue_ops)
        ]
        if coord:
            closing = self._close_on_stop, sess, self._cancel_op, coord
            found.append(self._thread("close_on_stop", *closing))
        for t in found:
            t.daemon = daemon or t.daemon
            if coord:
                coord.register_thread(t)
            if start:
                t.start()
        return found

    def _thread(self, what, target, *args):
        name = f"QueueRunnerThread-{self.name}-{what}"
        return threading.Thread(target=target, args=args, name=name)

    def _step(self, sess, place):
        """A function of no arguments that runs the op at a place."""
        return sess.make_callable(self._enqueue_ops[place])

    def _run(self, sess, place, coord):
        """What a thread does: run its op until the input is over."""
        ended = False
        try:
            enqueue = self._step(sess, place)
            while not (coord and coord.should_stop()):
                enqueue()
        except self._ends:
            ended = True
        except Exception as error:
            if isinstance(error, errors.CancelledError) and _stops(coord):
                logging.vlog(1, "Called off at the end: %s", error)
                return
            self._report(error, coord)
            if not coord:
                raise
        finally:
            last = self._leave(sess)
        if ended and last:
            _run_quietly(sess, self._close_op)

    def _report(self, error, coord):
        if coord:
            coord.request_stop(error)
            return
        logging.error("Exception in QueueRunner: %s", error)
        with self._lock:
            self._exceptions_raised.append(error)

    def _leave(self, sess):
        """Count a thread less; whether it was the last."""
        with self._lock:
            self._running[sess] -= 1
            return self._running[sess] == 0

    def _close_on_stop(self, sess, cancel_op, coord):
        """What the last thread does: unblock the others."""
        coord.wait_for_stop()
        _run_quietly(sess, cancel_op)

    # ------------------------------------------------------------------ saving
    def to_proto(self, export_scope: str | None = None) -> Any:
        """As a QueueRunnerDef; None if the queue is not inside `export_scope`."""
        if export_scope and not self.name.startswith(export_scope):
            return None
        start = f"{export_scope}/" if export_scope else ""
        return QueueRunnerDef(
            queue_name=self.name.removeprefix(start),
            enqueue_op_name=[o.name.removeprefix(start) for o in self._enqueue_ops],
            close_op_name=self._close_op.name.removeprefix(start),
            cancel_op_name=self._cancel_op.name.removeprefix(start),
            queue_closed_exception_types=[
                errors.error_code_from_exception_type(e) for e in self._ends
            ],
        )

    @staticmethod
    def from_proto(queue_runner_def: Any, import_scope: Any = None) -> "QueueRunner":
        """The QueueRunner of a QueueRunnerDef; its ops are in the default graph."""
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


def _is_error(kind):
    return isinstance(kind, type) and issubclass(kind, errors.OpError)


def _stops(coord):
    return coord is not None and coord.should_stop()


def _run_quietly(sess, op):
    try:
        sess.run(op)
    except Exception as error:
        logging.vlog(1, "Ignored exception: %s", error)


def add_queue_runner(qr: Any, collection: str = GraphKeys.QUEUE_RUNNERS) -> None:
    """Add a QueueRunner to those that `start_queue_runners` starts.

    Args:
        qr: the QueueRunner. collection: the name of the graph's collection.
    """
    add_to_collection(collection, qr)


def start_queue_runners(
    sess: Any = None, coord: Any = None, daemon: bool = True, start: bool = True,
    collection: str = GraphKeys.QUEUE_RUNNERS,
) -> list[Any]:  # fmt: skip
    """Start the threads of all QueueRunners of a graph.

    Args:
        sess: the Session; the default one if None.
        coord, daemon, start: see QueueRunner.create_threads.
        collection: where the QueueRunners are.
    Returns:
        The threads.
    Raises:
        RuntimeError: eager execution is enabled.
        ValueError: there is no session. TypeError: `sess` is none.
    """
    if dispatch.current_mode().eager:
        raise RuntimeError("Queues are not compatible with eager execution.")
    sess = get_default_session() if sess is None else sess
    if sess is None:
        raise advised(
            ValueError,
            "Cannot start queue runners: No default session is registered. Use `with "
            "sess.as_default()` or pass an explicit session to "
            "tf.start_queue_runners(sess=sess)",
        )
    if not isinstance(sess, Session):
        if hasattr(sess, "graph") and hasattr(sess, "should_stop"):
            return []  # a monitored session starts them itself
        raise TypeError(
            f"sess must be a `tf.Session` object. Given class: {sess.__class__}"
        )
    with sess.graph.as_default():
        runners = get_collection(collection)
        return [
            t for qr in runners for t in qr.create_threads(sess, coord, daemon, start)
        ]


def _queue_runner_proto(runner, export_scope=None):
    return runner.to_proto(export_scope=export_scope)


register_proto_function(
    GraphKeys.QUEUE_RUNNERS,
    QueueRunnerDef,
    _queue_runner_proto,
    QueueRunner.from_proto,
)
