"""Expressions of the values of dumped tensors."""

import re
from typing import Any

import numpy as np

from twinflow.tfdbg.dumps import names

_NAMED = re.compile(r"`(.*?)`")


def _parse_debug_tensor_name(debug_tensor_name: str) -> tuple:
    """`device:node:0:DebugIdentity[2]` as (device, node, 0, "DebugIdentity", 2).

    Raises:
        ValueError: it is no such name.
    """
    name, device, number = debug_tensor_name, None, 0
    match = re.match(r"(/job:.+/(?:device:)?[A-Za-z]+:\d+):(.+)$", name)
    if match:
        device, name = match.groups()
    match = re.match(r"(.+)\[(\d+)\]$", name)
    if match:
        name, number = match.group(1), int(match.group(2))
    parts = name.split(":")
    if len(parts) not in (2, 3) or not parts[1].isdigit():
        raise ValueError(
            f"The debug tensor name in the to-be-evaluated expression is malformed: "
            f"'{debug_tensor_name}'"
        )
    op = parts[2] if len(parts) == 3 else "DebugIdentity"
    return device, parts[0], int(parts[1]), op, number


class ExpressionEvaluator:
    """Evaluates expressions with names of dumped tensors in backticks.

    Args:
        dump: the DebugDumpDir.
    """

    def __init__(self, dump: Any) -> None:
        self._dump = dump
        self._values: dict[str, Any] = {}

    def evaluate(self, expression: str) -> Any:
        """The value of an expression, in which np is numpy.

        Raises:
            ValueError: a name is no tensor that was dumped.
        """
        places: dict[str, Any] = {"np": np}

        def place(match: re.Match) -> str:
            variable = f"_dumped_{len(places)}"
            places[variable] = self._value(match.group(1).strip())
            return variable

        return eval(_NAMED.sub(place, expression), places)

    def _value(self, name: str) -> Any:
        if name not in self._values:
            device, node, slot, op, number = _parse_debug_tensor_name(name)
            try:
                found = self._dump.get_tensors(node, slot, op, device_name=device)
            except ValueError:
                key = names.watch_key(node, slot, op)
                raise ValueError(
                    f"Eval failed due to the value of {key} being unavailable"
                ) from None
            self._values[name] = found[number]
        return self._values[name]
