"""Things that may be given by name."""

from typing import Any

from twinflow.keras.saving.config import CUSTOM


def looked_up(identifier: Any, table: Any, what: Any) -> Any:
    """What `identifier` stands for.

    Args:
        identifier: a name in `table`, or something callable.
        what: the kind, for errors.
    Raises:
        ValueError: the name is not in the table, or this is neither.
    """
    if isinstance(identifier, str):
        if identifier not in table and identifier in CUSTOM:
            return CUSTOM[identifier]
        if identifier not in table:
            raise ValueError(f"Unknown {what}:{identifier}")
        return table[identifier]
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret {what} identifier: {identifier!r}")
