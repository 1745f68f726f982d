"""Functions of jax as ops: `JaxFunction` is what such a node calls.

Interpreted, jax compiles the function on its own; in a compiled cluster it is traced
into the program around it.
"""

import functools
import itertools

import jax
import numpy as np
from jax import export

from twinflow.base import errors
from twinflow.base.frames import is_internal
from twinflow.lower.compile import _cpu

_WIDE = ("float64", "complex128", "int64", "uint64")


class JaxFunction:
    """A function of a flat list of arrays, as a node knows it.

    Args:
        function: of arrays; returns a list of arrays.
        name: for errors.
    """

    def __init__(self, function, name):
        self.function, self.name = function, name
        self.jitted = jax.jit(function)
        self.slopes: dict = {}
        self.shapes: dict = {}
        self.trees: dict = {}

    def __call__(self, *arrays):
        """The results where jax traces around."""
        with _bits(arrays):
            return self._called(self.function, arrays)

    def run(self, arrays):
        """The results as arrays of NumPy."""
        apart = jax.ensure_compile_time_eval()  # a cluster may be traced around it
        with _bits(arrays), jax.default_device(_cpu()), apart:
            found = self._called(self.jitted, arrays)
            return [np.asarray(a) for a in found]

    def _called(self, function, arrays):
        try:
            return function(*arrays)
        except errors.OpError:
            raise
        except Exception as error:
            raise self._failed(error) from error

    def _failed(self, error):
        """The error of the op: what jax raised, and where in the user's function."""
        place = _users_line(error)
        where = f" ({place})" if place else ""
        return errors.InvalidArgumentError(
            None, None,
            f"The jax function {self.name!r} raised {type(error).__name__}{where}: "
            f"{error}",
        )  # fmt: skip

    def infer(self, shapes, kinds):
        """[(shape, dtype)] of the results for partly known shapes.

        Args:
            shapes: tuples with None for unknown sizes. kinds: NumPy's dtypes.
        Raises:
            InvalidArgumentError: a rank is unknown, or the function raised.
        """
        key = tuple(zip(map(_sizes, shapes), kinds, strict=True))
        found = self.shapes.get(key)
        if found is None:
            found = self._infer(shapes, kinds)
            self.trees[key] = getattr(self.function, "result", None)
            self.shapes[key] = found  # last: other threads may look
        return found

    def results(self, shapes, kinds):
        """(the dtypes of the results, their structure) for such arguments."""
        found = self.infer(shapes, kinds)
        key = tuple(zip(map(_sizes, shapes), kinds, strict=True))
        return [kind for _, kind in found], self.trees[key]

    def _infer(self, shapes, kinds):
        if None in shapes:
            raise errors.InvalidArgumentError(
                None, None,
                f"The jax function {self.name!r} needs the ranks of its arguments, got "
                f"shapes {shapes}: set them with tensor.set_shape.",
            )  # fmt: skip
        error = None
        for name in (_apart, _first_alike):
            with _bits(kinds):
                try:
                    found = jax.eval_shape(self.function, *_specs(shapes, kinds, name))
                except Exception as raised:
                    error = error or raised
                else:
                    return [(_known_sizes(a.shape), a.dtype) for a in found]
        raise self._failed(error) from error

    def slope(self, wanted, count):
        """The way back: a JaxFunction of (arguments, gradients of inexact results).

        Args:
            wanted: the places of those of the `count` arguments that get a gradient.
        """
        found = self.slopes.get(wanted)
        if found is None:
            function = functools.partial(_slope, self.function, wanted, count)
            found = self.slopes[wanted] = JaxFunction(function, self.name)
        return found


def _slope(function, wanted, count, *arrays):
    xs, dys = list(arrays[:count]), iter(arrays[count:])

    def of_wanted(*some):
        given = list(xs)
        for place, x in zip(wanted, some, strict=True):
            given[place] = x
        return [y for y in function(*given) if _is_inexact(y.dtype)]

    ys, back = jax.vjp(of_wanted, *[xs[i] for i in wanted])
    return list(back([next(dys).astype(y.dtype) for y in ys]))


def _is_inexact(dtype):
    return jax.numpy.issubdtype(dtype, jax.numpy.inexact)


def _bits(given):
    """A block in which jax has 64 bits if the user wants them, or an argument has.

    What the process is set to counts: a cluster is lowered with 64 bits in its thread.
    """
    kinds = (np.dtype(getattr(a, "dtype", a)).name for a in given)
    wide = jax.config.values["jax_enable_x64"]
    return jax.enable_x64(wide or any(k in _WIDE for k in kinds))


def _sizes(shape):
    return None if shape is None else tuple(shape)


def _specs(shapes, kinds, name):
    """Abstract arguments; `name` says what an unknown size is called."""
    scope = export.SymbolicScope()
    numbers = itertools.count()
    made = []
    for shape, kind in zip(shapes, kinds, strict=True):
        texts = [name(i, numbers) if n is None else str(n) for i, n in enumerate(shape)]
        if None in shape:
            shape = export.symbolic_shape(", ".join(texts) + ",", scope=scope)
        made.append(jax.ShapeDtypeStruct(tuple(shape), kind))
    return made


def _apart(axis, numbers):
    return f"n{next(numbers)}"


def _first_alike(axis, numbers):
    return "batch" if axis == 0 else f"n{next(numbers)}"


def _known_sizes(shape):
    return tuple(n if isinstance(n, int) else None for n in shape)


def _users_line(error):
    """The innermost line of the traceback outside jax and this package."""
    at, found, home = error.__traceback__, None, jax.__path__[0]
    while at is not None:
        file = at.tb_frame.f_code.co_filename
        if not is_internal(file) and not file.startswith((home, "<")):
            found = f"{file}:{at.tb_lineno}"
        at = at.tb_next
    return found


class Structured:
    """A function of structures as one of flat arrays.

    Args:
        f: the user's function. tree: the structure of its (arguments, keywords).
    Attributes:
        result: the structure of what it returned last.
    """

    def __init__(self, f, tree):
        self.f, self.tree, self.result = f, tree, None

    def __call__(self, *arrays):
        args, named = jax.tree.unflatten(self.tree, arrays)
        flat, self.result = jax.tree.flatten(self.f(*args, **named))
        return [jax.numpy.asarray(a) for a in flat]


flatten = jax.tree.flatten  # (leaves, structure) as jax sees a value
unflatten = jax.tree.unflatten
