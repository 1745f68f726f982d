"""Something that is slow or broken."""

from typing import NamedTuple


class Trouble(NamedTuple):
    """What is wrong, how to mend it, and whether something does not work at all."""

    what: str
    fix: str
    broken: bool = False
