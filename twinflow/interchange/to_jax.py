"""tf.to_jax: functions of twinflow as functions of jax."""

import functools
from collections.abc import Callable
from typing import Any

from twinflow.base.tensor import TensorLike
from twinflow.interchange.pure import Pure
from twinflow.lower import pure


class ToJax:
    """What `to_jax` returns: a function of jax.

    Attributes:
        function: the function of twinflow.
    """

    def __init__(self, function: Callable, name: str | None, session: Any) -> None:
        self.function = function
        own = getattr(function, "name", None) or getattr(function, "__name__", None)
        self.name = name or own or type(function).__name__
        self._session = session
        self._pure: dict[Any, Any] = {}
        functools.update_wrapper(self, function, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        found, arrays, result = self._found(args, kwargs)
        return pure.unflatten(result.tree, found(arrays, found.states()))

    def with_variables(self, *args: Any, **kwargs: Any) -> tuple[Callable, dict]:
        """The function with its variables as an argument, for arguments like these.

        Args:
            args, kwargs: arrays, or what has shape and dtype (`jax.ShapeDtypeStruct`).
        Returns:
            (g, values): `g(values, *args, **kwargs)` gives what the function gives;
            `values` is {name: array}, as the variables are now.
        Example:
            v = tf.contrib.eager.Variable(2., name="v")
            g, values = tf.to_jax(lambda x: x * v).with_variables(np.float32(1.))
            float(g({"v": np.float32(5.)}, np.float32(3.)))  # 15.0
        """
        found, _, _ = self._found(args, kwargs)
        names = names_of(found.cells)

        def called(values: dict, *args: Any, **kwargs: Any) -> Any:
            _check(values, names, self.name)
            made, arrays, result = self._found(args, kwargs)
            by_cell = dict(zip(found.cells, names, strict=True))
            states = [pure.as_array(values[by_cell[c]]) for c in made.cells]
            return pure.unflatten(result.tree, made(arrays, states))

        return called, dict(zip(names, found.states(), strict=True))

    def _found(self, args: tuple, kwargs: dict) -> tuple:
        """(the Pure for these arguments, them as a list, the structure of results)."""
        leaves, tree = pure.flatten((args, kwargs))
        arrays = [_array(a, self.name) for a in leaves]
        specs = tuple((pure.open_shape(a), a.dtype) for a in arrays)
        key = tree, specs
        if key not in self._pure:
            flat = _Flat(self.function, tree)
            made = Pure(flat, specs, self.name, self._session)
            self._pure[key] = made, flat
        found, flat = self._pure[key]
        return found, arrays, flat

    def __repr__(self) -> str:
        return f"<tf.to_jax of {self.name}>"


class _Flat:
    """A function of structures as one of lists.

    Attributes:
        tree: the structure of what it returned last.
    """

    def __init__(self, function: Callable, taken: Any) -> None:
        self.function, self.taken, self.tree = function, taken, None

    def __call__(self, tensors: list) -> list:
        args, kwargs = pure.unflatten(self.taken, tensors)
        flat, self.tree = pure.flatten(self.function(*args, **kwargs))
        return flat


def _array(value: Any, name: str) -> Any:
    if isinstance(value, TensorLike):
        value = value.numpy() if hasattr(value, "numpy") else value
    try:
        return pure.as_array(value)
    except TypeError:
        raise TypeError(
            f"The function {name!r} got {value!r} where jax calls it: pass arrays and "
            "numbers, and bind other values with functools.partial."
        ) from None


def names_of(cells: list) -> list:
    """A name for each cell, numbered where several share one."""
    seen: dict = {}
    made = []
    for cell in cells:
        base = cell.name or "variable"
        n = seen[base] = seen.get(base, -1) + 1
        made.append(f"{base}_{n}" if n else base)
    return made


def _check(values: dict, names: list, name: str) -> None:
    if sorted(values) != sorted(names):
        raise ValueError(
            f"{name!r} takes the variables {sorted(names)}, got {sorted(values)}."
        )


def to_jax(
    function: Callable[..., Any], name: str | None = None, session: Any = None
) -> ToJax:
    """Make a function of tensors one of jax.

    jax traces it like its own: `jax.jit`, `jax.grad`, `jax.vmap` and `shard_map` take
    it. Gradients are those of twinflow, custom ones and those of loops included, in
    reverse mode. Variables are read when jax traces, so that a jitted function keeps
    their values; `to_jax(f).with_variables(...)` makes an argument of them (variables
    of graphs that are no resources are constants). Integers and floats have 32 bits
    unless jax is set to 64. Guards are left out: an index out of range gives what jax
    makes of it.

    Args:
        function: a function of tensors, and of structures that jax knows; of
            `tf.function` and `tfe.defun` too, a layer or a model. name: for errors.
        session: where variables of graphs have their values; the default one.
    Returns:
        A function of arrays of jax.
    Raises:
        tf.errors.UnimplementedError: it has a step that only this process can run, as
            tf.py_func, writes to a variable, or draws from a stream of random numbers;
            with the line.
    Example:
        import jax
        slope = jax.grad(tf.to_jax(lambda x: tf.reduce_sum(x * x)))
        slope(np.float32([1., 2.])).tolist()  # [2.0, 4.0]
    """
    if not callable(function):
        raise TypeError(
            f"tf.to_jax expects a function of tensors, got {type(function).__name__}: "
            "arrays of jax are made of tensors by jax.numpy.from_dlpack."
        )
    return ToJax(function, name, session)
