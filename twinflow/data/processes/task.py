"""A map function on its way to other processes; see data.processes.mapping."""

import pickle
import sys

from twinflow.base import dispatch, dtypes, spawn_hooks
from twinflow.base.frames import format_frame
from twinflow.data.draws import every_node
from twinflow.data.processes import shipping
from twinflow.data.processes.crew import Crews

PATIENCE = 10.0  # seconds that a worker stays between passes
_NOT_SENT = (dtypes.resource, dtypes.variant)


def crews(map_func, structure, function, count, workers):
    """The Crews for the argument `workers` of Dataset.map; None for "thread".

    Raises:
        ValueError, TypeError: it is unknown, or the function cannot be run by them.
    """
    if workers == "thread":
        return None
    if workers != "process":
        raise ValueError(f'Expected workers="thread" or "process", got {workers!r}.')
    if count is None:
        raise ValueError(
            'map(..., workers="process") needs num_parallel_calls: the number of '
            "processes, such as that of the cores."
        )
    return Crews(Task(map_func, structure, function))


class Task:
    """A map function on its way to workers.

    Args:
        map_func: what the user gave. structure: the Structure of its elements.
        function: its ElementFunction in this process.
    Raises:
        ValueError: it depends on what a process has for itself alone.
        TypeError: it cannot be sent.
    """

    def __init__(self, map_func, structure, function):
        _refuse(function, structure)
        self.nodes = {n.name: n for n in function.graph.nodes}
        parts = (
            map_func, structure, function.structure.types,
            [t.dtype for t in function.captured], function.graph.outer.eager,
        )  # fmt: skip
        try:
            self.data = shipping.dumps(parts)
        except Exception as error:
            raise TypeError(
                f'map(..., workers="process") sends map_func to other processes, and '
                f"{_named(map_func)} cannot be sent: {type(error).__name__}: {error}. "
                "What it refers to (values in its closure, globals, arguments of a "
                "functools.partial) must be importable or picklable: make locks, "
                "files, sessions and graph tensors inside the function, define it "
                'with `def` at the top of a module, or take workers="thread".'
            ) from error

    def setup(self):
        """The first message to a worker."""
        return pickle.dumps({
            "argv": sys.argv,
            "first": [pickle.dumps(f) for f in spawn_hooks.first],
            "eager": dispatch.default_mode().eager,
            "patience": PATIENCE,
            "task": self.data,
        })  # fmt: skip


def _named(function):
    code = getattr(function, "__code__", None)
    place = f" ({code.co_filename}:{code.co_firstlineno})" if code else ""
    return f"{function!r}{place}"


def _refuse(function, structure):
    """Raise ValueError where workers would not do what threads do."""
    for node in every_node(function.graph):
        if node.opdef.cell is None:
            continue
        line = format_frame(node.frames[0]) if node.frames else "an unknown line"
        raise ValueError(
            f"{node.type} ({line}) reads, writes or draws in an order of this process, "
            'so map(..., workers="process") cannot run it. Draw random numbers with '
            "NumPy inside tf.py_func, pass a variable's value as a tensor, or take "
            'workers="thread".'
        )
    types = (*structure.types, *function.structure.types)
    captured = [t.dtype for t in function.captured]
    found = next((t for t in (*types, *captured) if t in _NOT_SENT), None)
    if found is not None:
        raise ValueError(
            f'map(..., workers="process") cannot send {found!r} (a variable, table or '
            'dataset) to another process. Take its value first, or workers="thread".'
        )
