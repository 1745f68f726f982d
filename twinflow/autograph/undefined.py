"""Names that have no value yet."""

from typing import Any


class Undefined:
    """What a name has before its first assignment.

    Attributes:
        symbol_name: the name.
    """

    __slots__ = ("symbol_name",)

    def __init__(self, symbol_name: str) -> None:
        self.symbol_name = symbol_name

    def read(self) -> Any:
        """Refuse, as Python does.

        Raises:
            UnboundLocalError: always.
        """
        raise UnboundLocalError(
            f"cannot access local variable {self.symbol_name!r} where it is not "
            "associated with a value"
        )

    def __repr__(self) -> str:
        return f"<undefined {self.symbol_name}>"


class UndefinedReturnValue(Undefined):
    """What a function gives before its `return`."""

    __slots__ = ()

    def __init__(self, symbol_name: str = "the returned value") -> None:
        super().__init__(symbol_name)


def ld(value: Any) -> Any:
    """The value of a variable that is read."""
    return value.read() if isinstance(value, Undefined) else value


def ldu(load: Any, name: str) -> Any:
    """The value of `self.x` or `d['k']`; Undefined where there is none."""
    try:
        return load()
    except (KeyError, AttributeError, NameError, IndexError):
        return Undefined(name)
