"""Sizes, times, and intervals of them, as a person writes them."""

import re
from collections.abc import Callable

_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_COMPARED = re.compile(r"(<=|<|>=|>)(.*)", re.DOTALL)
_INTERVAL = re.compile(
    r">=?[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?(us|ms|s|[kMG]?B?)?$"
)
_UNITS = {"k": 1 << 10, "M": 1 << 20, "G": 1 << 30}


class Interval:
    """Numbers from start to end."""

    def __init__(
        self, start: float, start_included: bool, end: float, end_included: bool
    ) -> None:
        self.start = start
        self.start_included = start_included
        self.end = end
        self.end_included = end_included

    def contains(self, value: float) -> bool:
        above = value >= self.start if self.start_included else value > self.start
        below = value <= self.end if self.end_included else value < self.end
        return above and below

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Interval) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # its ends can be changed


def is_interval(text: str) -> bool:
    """Whether a text is such as `>1.5kB` or `>=100ms`, rather than `>file`."""
    return bool(_INTERVAL.match(text))


def parse_memory_interval(interval_str: str) -> Interval:
    """`[10kB, 20kB]`, `<100M` or `>100G` as bytes.

    Raises:
        ValueError: it is no interval.
    """
    found = _interval(interval_str, parse_readable_size_str)
    if found.start > found.end:
        raise ValueError(
            f"Invalid interval {interval_str}. Start of interval must be less than or "
            "equal to end of interval."
        )
    return found


def parse_time_interval(interval_str: str) -> Interval:
    """`[10us, 20us]`, `<100s` or `>100ms` as microseconds.

    Raises:
        ValueError: it is no interval.
    """
    found = _interval(interval_str, parse_readable_time_str)
    if found.start > found.end:
        raise ValueError(
            f"Invalid interval {interval_str}. Start must be before end of interval."
        )
    return found


def _interval(text: str, number: Callable[[str], float]) -> Interval:
    """An Interval whose ends `number` reads."""
    text = text.strip()
    compared = _COMPARED.match(text)
    if compared:
        sign, end = compared.group(1), compared.group(2).strip()
        if not _NUMBER.match(end):
            raise ValueError(f"Invalid value string after {sign} in '{text}'")
        at = number(end)
        if sign[0] == "<":
            return Interval(0, False, at, sign == "<=")
        return Interval(at, sign == ">=", float("inf"), False)
    if not (text.startswith(("[", "(")) and text.endswith(("]", ")"))):
        raise ValueError(
            f"Invalid interval format: {text}. Valid formats are: [min, max], "
            "(min, max), <max, >min"
        )
    ends = [end.strip() for end in text[1:-1].split(",")]
    if len(ends) != 2:
        raise ValueError(
            f"Incorrect interval format: {text}. Interval should specify two values: "
            "[min, max] or (min, max)."
        )
    for which, end in zip(("first", "second"), ends):
        if not _NUMBER.match(end):
            raise ValueError(f"Invalid {which} item in interval: '{end}'")
    low, high = map(number, ends)
    return Interval(low, text[0] == "[", high, text[-1] == "]")


def parse_readable_size_str(size_str: str) -> int:
    """`1.1kB` as bytes; units are kB, MB and GB, their B may be left out.

    Raises:
        ValueError: it is no size.
    """
    text = size_str.strip().removesuffix("B")
    unit = _UNITS.get(text[-1:], 1)
    try:
        return int(float(text[:-1] if unit > 1 else text) * unit)
    except ValueError:
        raise ValueError(
            f'Failed to parsed human-readable byte size str: "{text}"'
        ) from None


def parse_readable_time_str(time_str: str) -> float:
    """`5ms` as microseconds; units are us, ms and s, us where there is none.

    Raises:
        ValueError: it is no time, or a negative one.
    """
    text = time_str.strip()
    scales = {"us": 1, "ms": 1e3, "s": 1e6, "": 1}
    unit = next(unit for unit in scales if text.endswith(unit))
    number = float(text.removesuffix(unit))
    if number < 0:
        raise ValueError(f"Invalid time {number:g}. Time value must be positive.")
    return number * scales[unit]
