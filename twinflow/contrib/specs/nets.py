"""Specs become networks: a spec is a piece of Python that sets `net`."""

import builtins
import math
from collections.abc import Callable
from typing import Any

from twinflow.contrib.specs import composing, layers, params


def _words(*modules: Any) -> dict:
    return {
        name: value
        for module in modules
        for name, value in vars(module).items()
        if not name.startswith("_")
    }


def _run(text: str, names: dict, environment: Any) -> dict:
    """What a piece of Python sets."""
    composing.check_keywords(text)
    found: dict = {}
    exec(text, {**names, **(environment or {})}, found)
    return found


def eval_params(parameters: str, environment: Any = None) -> dict[Any, Any]:
    """Parameters that a piece of Python sets, as "x = Uf(0, 1); y = sqrt(x)".

    Args:
        parameters: the piece. environment: dict of further names.
    Raises:
        ValueError: it has a statement that specs may not have.
    """
    found = _run(parameters, _words(math, params), environment)
    return {k: v for k, v in found.items() if not k.startswith("__")}


def eval_spec(spec: str, environment: Any = None) -> dict[Any, Any]:
    """The names that a spec sets.

    Args:
        spec: the piece of Python. environment: dict of further names.
    Raises:
        ValueError: it has a statement that specs may not have, or sets no `net`.
    """
    found = _run(spec, _words(composing, layers), environment)
    if "net" not in found:
        raise ValueError(f"spec failed to create 'net': {spec}")
    return found


def create_net_fun(spec: str, environment: Any = None) -> Callable[..., Any]:
    """The network of a spec, as a function of its input; see `eval_spec`."""
    return eval_spec(spec, environment)["net"].funcall


def create_net(spec: str, inputs: Any, environment: Any = None) -> Any:
    """The network of a spec for an input; see `eval_spec`.

    Example:
        x = tf.placeholder(tf.float32, [8, 28, 28, 1])
        y = tf.contrib.specs.create_net("net = Cr(4, 5) | Mp(2) | Flat | Fs(10)", x)
        y.shape  # (8, 10)
    """
    return create_net_fun(spec, environment)(inputs)


class LocalImport:
    """A block in which names are builtins.

    Args:
        names: dict, or an object that has them.
    """

    def __init__(self, names: Any) -> None:
        self.names = names if isinstance(names, dict) else vars(names)

    def __enter__(self) -> None:
        known = vars(builtins)
        self._before = {k: known[k] for k in self.names if k in known}
        known.update({k: v for k, v in self.names.items() if not k.startswith("__")})

    def __exit__(self, *error: object) -> None:
        for name in self.names:
            if name in self._before:
                setattr(builtins, name, self._before[name])
            elif not name.startswith("__"):
                delattr(builtins, name)


ops = LocalImport({k: v for k, v in _words(layers).items() if k[0].isupper()})
