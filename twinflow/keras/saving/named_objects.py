"""Things that may be given by name."""

from typing import Any

from twinflow.base.advice import near
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
            error = ValueError(f"Unknown {what}:{identifier}")
            raise near(error, identifier, [*table, *CUSTOM])
        return table[identifier]
    if callable(identifier):
        return identifier
    raise ValueError(f"Could not interpret {what} identifier: {identifier!r}")
