"""Gradients that programs register by name: tf.RegisterGradient."""

from collections.abc import Callable
from typing import Any

from twinflow.base.frames import place_of_program

_gradients: dict = {}
_places: dict = {}  # where in the program each was registered


class RegisterGradient:
    """A decorator that gives a gradient function a name.

    A graph uses it where `Graph.gradient_override_map` names it.

    Args:
        op_type: the name.
    Raises:
        TypeError: it is no string. KeyError: the name is taken.
    Example:
        @tf.RegisterGradient("Tenfold")
        def tenfold(op, dy): return 10. * dy
    """

    def __init__(self, op_type: str) -> None:
        if not isinstance(op_type, str):
            raise TypeError("op_type must be a string")
        self._op_type = op_type

    def __call__(self, f: Callable[..., Any]) -> Callable[..., Any]:
        _put(self._op_type, f)
        return f


def NotDifferentiable(op_type: Any) -> None:
    """Give a name to having no gradient; see `RegisterGradient` for the errors."""
    if not isinstance(op_type, str):
        raise TypeError("op_type must be a string")
    _put(op_type, None)


NoGradient = NotDifferentiable


def _put(name: str, f: Any) -> None:
    if name in _gradients:
        raise KeyError(
            f"Registering two gradient with name '{name}' !(Previous registration was "
            f"in {_places[name]})"
        )
    _gradients[name], _places[name] = f, place_of_program()


def is_registered(name: str) -> bool:
    """Whether a program has registered something under a name."""
    return name in _gradients


def registered_gradient(name: str, node: Any) -> Any:
    """The function registered by a name; None = not differentiable.

    Raises:
        LookupError: there is none, for the node `node`.
    """
    if name not in _gradients:
        raise LookupError(
            f"No gradient defined for operation '{node.name}' (op type: {node.type})"
        )
    return _gradients[name]
