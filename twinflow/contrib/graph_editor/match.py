"""Patterns of operations: what an operation is, and what is before and behind it."""

from collections.abc import Callable
from typing import Any

from twinflow.contrib.graph_editor.select import can_be_regex, make_regex
from twinflow.graph.node import Node


def op_type(op_types: Any, op: Any = None) -> Any:
    """Whether an operation is of some types; without it, a function that says so."""
    return (lambda op: op.type in op_types) if op is None else op.type in op_types


class OpMatcher:
    """A pattern of an operation and of those around it.

    Args:
        positive_filter: a regular expression for its name, the operation itself, a
            function, or True for any.
    Raises:
        ValueError: it is none of these.
    """

    def __init__(self, positive_filter: Any) -> None:
        self.positive_filters = [_filter(positive_filter)]
        self.input_op_matches: Any = None
        self.control_input_op_matches: Any = None
        self.output_op_matches: Any = None

    def __call__(self, op: Node) -> bool:
        """Whether an operation matches.

        Raises:
            TypeError: it is no operation.
        """
        if not isinstance(op, Node):
            raise TypeError(f"Expect tf.Operation, got: {type(op)}")
        return (
            all(wanted(op) for wanted in self.positive_filters)
            and _all(self.input_op_matches, [t.op for t in op.inputs])
            and _all(self.control_input_op_matches, op.control_inputs)
            and _all(self.output_op_matches, [t.consumers() for t in op.outputs], _all)
        )

    def _set(self, name: str, patterns: list) -> "OpMatcher":
        if getattr(self, name) is not None:
            raise ValueError(f"{name} is already set.")
        setattr(self, name, patterns)
        return self

    def input_ops(self, *args: Any) -> "OpMatcher":
        """What its inputs are computed by; None for anything."""
        return self._set("input_op_matches", [*map(_pattern, args)])

    def control_input_ops(self, *args: Any) -> "OpMatcher":
        """What it waits for; None for anything."""
        return self._set("control_input_op_matches", [*map(_pattern, args)])

    def output_ops(self, *args: Any) -> "OpMatcher":
        """What uses each of its outputs: a pattern or a list; None for anything."""
        listed = [a if isinstance(a, list) else [a] for a in args]
        found = [None if each == [None] else [*map(_pattern, each)] for each in listed]
        return self._set("output_op_matches", found)


def _all(patterns: Any, found: Any, matches: Any = None) -> bool:
    """Whether each of the things found matches its pattern."""
    if patterns is None:
        return True
    match: Callable = matches or (lambda pattern, op: pattern is None or pattern(op))
    return len(patterns) == len(found) and all(map(match, patterns, found))


def _pattern(given: Any) -> Any:
    return given if given is None or isinstance(given, OpMatcher) else OpMatcher(given)


def _filter(given: Any) -> Callable[[Node], Any]:
    if can_be_regex(given):
        regex = make_regex(given)
        return lambda op: regex.search(op.name) is not None
    if isinstance(given, Node):
        return lambda op: op is given
    if given is True:
        return lambda op: True
    if callable(given):
        return given
    raise ValueError(f"Cannot finalize the positive filter: {given}")
