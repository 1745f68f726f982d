"""GraphDefs of other processes as graphs with sessions of this one."""

from typing import Any

from twinflow.base import errors
from twinflow.execute.session import Session
from twinflow.formats import protos
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.import_def import import_graph_def

OF_PYTHON = frozenset(("PyFunc", "EagerPyFunc", "PyFuncStateless"))


def session_of(
    target: str, graph_def: Any, config: Any, handle: str, kept: dict
) -> Session:
    """A session of a server of this process.

    Args:
        target: of the server. graph_def: the GraphDef. config: the ConfigProto.
        handle: how the other process calls it. kept: what the sessions of older
            versions of the graph have made, which this one goes on with.
    Raises:
        tf.errors.OpError: the GraphDef is not valid.
    """
    _check_functions(graph_def)
    graph = Graph()
    try:
        with graph.as_default():
            import_graph_def(graph_def, name="")
    except (ValueError, TypeError, KeyError) as error:
        raise errors.invalid(str(error)) from None
    found = Session(target, graph, config)
    home: Any = found._home
    home.foreign, home.handle, home.kept = True, handle, kept
    home.connect(found)
    return found


def _check_functions(graph_def: Any) -> None:
    """Refuse functions that call what lives in another process."""
    for function in graph_def.library.function:
        for node in function.node_def:
            if node.op in OF_PYTHON:
                raise unknown_function(f"{function.signature.name}/{node.name}")


def unknown_function(name: str) -> errors.OpError:
    """The error of a node that calls a function of Python of another process."""
    return errors.invalid(
        f"ValueError: callback of {name} is not found: a tf.py_func runs only in the "
        "process that made it. Place it on a task of that process, or compute the "
        "value there and feed it."
    )


def config_for(own: str, isolated: bool) -> Any:
    """The ConfigProto of a session that sees one task alone."""
    return protos.ConfigProto(device_filters=[own], isolate_session_state=isolated)
