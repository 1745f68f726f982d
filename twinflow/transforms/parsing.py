"""Texts such as `fold_constants(ignore_errors=true) remove_nodes(op=Identity)`."""

import re
from typing import NamedTuple

from twinflow.base.errors import invalid

_NAME = re.compile(r"\s*([\w-]+)\s*")
_VALUE = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)'|([\w./-]*))\s*")


class Options(NamedTuple):
    """The parameters of a transform: {name: its values, in their order}."""

    values: dict[str, list[str]]

    def all(self, name: str) -> list[str]:
        """All values of a parameter."""
        return self.values.get(name, [])

    def one(self, name: str, default: str = "") -> str:
        """The value of a parameter that is given at most once.

        Raises:
            InvalidArgumentError: it is given several times.
        """
        found = self.all(name)
        if len(found) > 1:
            raise invalid(f"Expected a single {name} argument, but found {len(found)}")
        return found[0] if found else default

    def number(self, name: str, default: int) -> int:
        """A whole number. Raises InvalidArgumentError where it is none."""
        text = self.one(name, str(default))
        try:
            return int(text)
        except ValueError:
            raise invalid(
                f"Couldn't interpret the {name} argument as a number:{text}"
            ) from None

    def flag(self, name: str, default: bool = False) -> bool:
        """A truth value. Raises InvalidArgumentError where it is none."""
        text = self.one(name, str(default)).lower()
        known = {
            "true": True,
            "t": True,
            "1": True,
            "false": False,
            "f": False,
            "0": False,
        }
        if text not in known:
            raise invalid(f"Couldn't interpret the {name} argument as a bool:{text}")
        return known[text]


def transforms_of(text: str) -> list[tuple[str, Options]]:
    """The names of transforms, with their parameters.

    Raises:
        InvalidArgumentError: the text is not in this form.
    """
    found, at = [], 0
    while at < len(text.rstrip()):
        match = _NAME.match(text, at)
        if match is None:
            raise invalid(f"Looking for transform name, but found {text[at:]}")
        at, values = match.end(), {}
        if text[at : at + 1] == "(":
            at = _parameters(text, at + 1, values)
        found.append((match[1], Options(values)))
    return found


def _matched(text: str, at: int) -> re.Match:
    found = _VALUE.match(text, at)
    if found is None:
        raise invalid(f"Looking for parameter value, but found {text[at:]}")
    return found


def _parameters(text: str, at: int, values: dict) -> int:
    """Put parameters into `values`; returns the place after their bracket."""
    while at < len(text):
        if text[at : at + 1] == ")":
            return at + 1
        match = _NAME.match(text, at)
        if match is None or text[match.end() : match.end() + 1] != "=":
            raise invalid(f"Looking for parameter name, but found {text[at:]}")
        value = _matched(text, match.end() + 1)
        given = next((g for g in value.groups() if g is not None), "")
        values.setdefault(match[1], []).append(given)
        at = value.end() + (text[value.end() : value.end() + 1] == ",")
    return at
