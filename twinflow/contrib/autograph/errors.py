"""Errors of converted code, with the lines of the program."""

import contextlib
import sys
import traceback
from collections.abc import Iterator
from typing import Any

from twinflow.autograph.transpiler import LineLocation
from twinflow.base import errors, frames


class GraphConstructionError(Exception):
    """A converted function failed while it made a graph.

    Args:
        original_error: what was raised. custom_traceback: the frames of the program,
            as traceback.extract_tb gives them.
    """

    def __init__(
        self, original_error: BaseException, custom_traceback: list[Any]
    ) -> None:
        super().__init__()
        self.original_error = original_error
        self.custom_traceback = custom_traceback

    def __str__(self) -> str:
        shown = "".join(traceback.format_list(self.custom_traceback))
        return f"Traceback (most recent call last):\n{shown}\n{self.original_error}\n"


class TfRuntimeError(Exception):
    """An op that converted code has made failed while the graph ran.

    Args:
        op_name: of the op. op_message: what it said. custom_traceback: where the
            program made it, as tuples of file, line, function and text.
    """

    def __init__(
        self, op_name: str, op_message: str, custom_traceback: list[Any]
    ) -> None:
        super().__init__()
        self.op_name, self.op_message = op_name, op_message
        self.custom_traceback = custom_traceback

    def __str__(self) -> str:
        shown = "".join(traceback.format_list(self.custom_traceback))
        return (
            f"{self.op_message}\n\nCaused by op {self.op_name!r}, defined at:\n{shown}"
        )


def construction_error(error: BaseException) -> GraphConstructionError:
    """An error of converted code, with the frames of the program alone."""
    found = traceback.extract_tb(error.__traceback__)
    own = [f for f in found if not frames.is_internal(f.filename)]
    made = GraphConstructionError(error, own or list(found))
    return errors.with_notes_of(error, made)


def rewrite_tf_runtime_error(error: Any, source_map: dict) -> Exception:
    """An error of a run as a TfRuntimeError.

    Args:
        error: a tf.OpError. source_map: from lines of converted code to what they were.
    Returns:
        The TfRuntimeError; `error` itself where it says nothing of its op.
    """
    op = error.op
    if op is None:
        return error
    found = []
    for frame in op.traceback:
        name, line = frame[0], frame[1]
        origin = source_map.get(LineLocation(name, line))
        try:
            found.append(tuple(frame[:4]) if origin is None else origin.as_frame())
        except AttributeError:  # the map is not one of ours
            return error
    return errors.with_notes_of(error, TfRuntimeError(op.name, error.message, found))


@contextlib.contextmanager
def improved_errors(converted_function: Any) -> Iterator[None]:
    """A block in which errors of ops name the lines of a converted function.

    Args:
        converted_function: what `to_graph` gave.
    Raises:
        TfRuntimeError: in place of a tf.OpError.
        ValueError: the function is not converted.
    Example:
        f = tf.contrib.autograph.to_graph(lambda x: x + 1.)
        with tf.contrib.autograph.improved_errors(f):
            f(tf.constant(1.))
    """
    source_map = getattr(converted_function, "ag_source_map", None)
    if not isinstance(source_map, dict):
        raise ValueError(
            "converted_function must be the result of an autograph.to_graph call"
        )
    try:
        yield
    except errors.OpError as error:
        raise rewrite_tf_runtime_error(error, source_map) from error


def rewrite_graph_construction_error(source_map: dict) -> None:
    """Raise what is being handled as a GraphConstructionError.

    Args:
        source_map: from lines of converted code to what they were.
    Raises:
        GraphConstructionError: always, with the lines of the program.
    """
    error = sys.exc_info()[1]
    if error is None or isinstance(error, GraphConstructionError):
        raise error or RuntimeError("no error is being handled")
    shown: list = []
    for frame in traceback.extract_tb(error.__traceback__):
        origin = source_map.get(LineLocation(frame.filename, frame.lineno))
        if origin is not None:
            shown.append(traceback.FrameSummary(*origin.as_frame()[:3]))
        elif not frames.is_internal(frame.filename):
            shown.append(frame)
    raise GraphConstructionError(error, shown) from error
