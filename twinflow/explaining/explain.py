"""tf.explain: gradients, tensors, functions and whole graphs."""

from typing import Any

from twinflow.autodiff.reasons.paths import Explanation
from twinflow.base import dispatch
from twinflow.base.tape_record import LOGS
from twinflow.base.tensor import ResourceHandle, Tensor, TensorLike
from twinflow.eager.mode import MODE
from twinflow.execute.function import Function
from twinflow.explaining.origin import eager_origin, origin
from twinflow.explaining.values import values_of
from twinflow.explaining.whole_graph import look
from twinflow.graph import explained_gradient
from twinflow.graph.graph import Graph
from twinflow.graph.node import GraphTensor, Node


def explain(
    target: Any, source: Any = None, feed_dict: Any = None, session: Any = None
) -> Any:
    """Why something is as it is, in the lines of the program.

    Args:
        target: with a `source` the tensor of a graph whose gradient is asked for.
            Without: a tensor (where does it come from?), a function of tf.function
            (why was it traced, what does it hold?), or a graph (what is not used?).
        source: a tensor or variable of the graph; of a graph the fetches (a tensor, an
            operation or a list of them) that are run.
        feed_dict, session: for the values of a gradient; the default session if there
            is one. The target is run once.
    Returns:
        A report with `str()`; of a gradient an Explanation with `cause`, `line` and
        `path`. In eager programs: `tape.explain(target, source)`.
    Raises:
        TypeError: there is nothing to say of such a thing.
    Example:
        with tf.Graph().as_default():
            x = tf.placeholder(tf.float32)
            y = tf.stop_gradient(x) * 2.
            tf.explain(y, x).cause  # "stop_gradient"
    """
    if isinstance(target, Graph):
        return look(target, source)
    if isinstance(target, Function):
        return target.explain()
    target = target._as_tensor() if isinstance(target, TensorLike) else target
    if source is not None:
        return _gradient(target, source, feed_dict, session)
    if isinstance(target, GraphTensor | Node):
        return origin(target)
    if isinstance(target, Tensor):
        return eager_origin(target, LOGS)
    raise TypeError(
        f"Expected a tensor, an operation, a function or a graph, got {target!r} of "
        f"type {type(target).__name__}."
    )


def _gradient(target: Any, source: Any, feed_dict: Any, session: Any) -> Explanation:
    if not isinstance(target, GraphTensor):
        raise TypeError(
            f"tf.explain(target, source) takes a tensor of a graph, got {target!r}. In "
            "eager programs: tape.explain(target, source), where tape is "
            "tf.GradientTape(lines=True)."
        )
    if not isinstance(source, GraphTensor | ResourceHandle) and not hasattr(
        source, "_ref"
    ):
        raise TypeError(f"Expected a tensor or variable as the source, got {source!r}.")
    sessions: Any = getattr(dispatch.local, "sessions", ())
    session = session or (sessions[-1] if sessions else None)
    values = None
    if session is not None and session.graph is target.graph:

        def values(nodes: list) -> dict:
            return values_of(target, session, feed_dict)

    return explained_gradient.explained(target, source, values, MODE)
