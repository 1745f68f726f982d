"""The default graph, and the switch between the two modes."""

from typing import Any

from twinflow.base import dispatch
from twinflow.base.errors import UsageError
from twinflow.graph.graph import Graph


class _Defaults:
    graph = Graph()
    eager_mode = None


def start(eager_mode: Any) -> None:
    """Begin in graph mode, as TensorFlow 1.12 does; called once by the public index."""
    _Defaults.eager_mode = eager_mode
    dispatch.set_default_mode(_Defaults.graph)
    dispatch.set_mode_of_threads(_graph_of_thread)


def _graph_of_thread() -> Any:
    """A new thread has a default graph of its own, unless ops run at once."""
    return None if dispatch.default_mode().eager else Graph()


def get_default_graph() -> Graph:
    """The graph that ops are added to; in eager mode the one kept for the process."""
    return graph_of(dispatch.current_mode())


def graph_of(mode: Any) -> Graph:
    """The graph of a mode: in eager mode the one kept for the process."""
    return _Defaults.graph if mode.eager else mode


def in_graph_block() -> bool:
    """Whether this thread is in a `with` block that made a graph the default one."""
    frames = dispatch.local.frames[1:]
    return any(f.mode is not None and not f.mode.eager for f in frames)


def reset_default_graph() -> None:
    """Start with an empty default graph.

    Raises:
        AssertionError: a graph was made the default by a `with` block.
    """
    if in_graph_block():
        raise UsageError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need "
            "a cleared graph, exit the nesting and create a new graph."
        )
    first = dispatch.local.frames[0]
    if first.mode is not None:
        first.mode = Graph()
        return
    _Defaults.graph = Graph()
    if not dispatch.local.default_mode.eager:
        dispatch.set_default_mode(_Defaults.graph)


def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None
) -> None:
    """Run ops at once, from here on and for the whole process.

    Args:
        config: a tf.ConfigProto; accepted.
        device_policy: one of tfe.DEVICE_PLACEMENT_*: what happens to inputs on another
            device than their op's; SILENT (copy them) by default.
        execution_mode: tfe.SYNC or tfe.ASYNC; accepted.
    Raises:
        ValueError: the default graph has nodes already, or an argument is unknown.
        TypeError: `config` is not a ConfigProto.
    """
    dispatch.configure_eager(config, device_policy, execution_mode)
    if dispatch.current_mode().eager:
        return
    if _Defaults.graph.nodes or dispatch.current_mode() is not _Defaults.graph:
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    dispatch.set_default_mode(_Defaults.eager_mode)


def executing_eagerly() -> bool:
    """Whether ops run at once at this place in the program."""
    return dispatch.current_mode().eager
