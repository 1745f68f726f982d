"""Elementwise NumPy kernels on large arrays: one pass, in pieces, on all threads.

Note [Pieces]: a kernel like ``lambda x: 1 / (1 + np.exp(-x))`` stays the one definition
of its op. For large arrays it is called once per combination of dtypes with stand-ins
(_Traced), which write down what ufuncs it calls; native/loops.c then takes the inner
loops of those ufuncs and runs pieces of the arrays through all of them, shared out
among threads. The result is that of the kernel to the last bit. A kernel that does
anything else with its arrays (asks for their shape, reduces them, branches on values)
cannot be written down so, and stays as it is: docs/decisions/0012-kernels-at-size.md.
"""

from typing import Any

import numpy as np

from twinflow.base import native

_fast: Any = native.fast if hasattr(native.fast, "Pieces") else None

_DTYPES: dict[int, np.dtype] = {t.num: t for t in map(np.dtype, "?bBhHiIlLfdFD")}
_FLOAT = np.dtype(np.float32).num
_PIECE = _fast.PIECE if _fast else 1
_LEAST = 8192  # elements: smaller arrays are left to the kernel
_WORD = {"?": "bool", "i": "int", "l": "long", "f": "float", "d": "double"}
_COSTLY = {  # ns a piece's element takes, about, in tenths of that of a sum
    "exp": 4, "log": 3, "tanh": 3, "sin": 5, "cos": 5, "tan": 6, "expm1": 4, "log1p": 4,
    "arctan": 4, "arcsin": 4, "arccos": 4, "sinh": 4, "cosh": 4, "arcsinh": 8,
    "arccosh": 8, "arctanh": 8, "exp2": 4, "log2": 4, "cbrt": 6, "arctan2": 16,
    "power": 16, "float_power": 16, "sqrt": 2, "divide": 2, "reciprocal": 2, "fmod": 16,
    "remainder": 16, "floor_divide": 16, "logaddexp": 16, "hypot": 8,
}  # fmt: skip


def in_pieces(function: Any, count: int) -> Any:
    """A NumPy kernel that takes large arrays in pieces; itself without the C module.

    Args:
        function: ``(*arrays) -> array``. count: of its arrays.
    """
    if _fast is None or not 1 <= count <= 4 or isinstance(function, _fast.Pieces):
        return function
    return _fast.Pieces(function, plan, count, _LEAST)


def with_loop(name: str, kernel: Any) -> Any:
    """``xp -> function``: `kernel`, with a loop of ours for float32 of any size.

    Args:
        name: of the loop in native/pieces_loops.h. kernel: ``xp -> function(x)``.
    """

    def planner(function: Any, numbers: tuple[int, ...]) -> Any:
        if numbers != (_FLOAT,):
            return plan(function, numbers)
        return _FLOAT, 1, 3, (4, 4), (), ((name, numbers * 2, (0, 1)),)

    def bound(xp: Any) -> Any:
        function = kernel(xp)
        native_too = xp is np and _fast is not None
        return _fast.Pieces(function, planner, 1, 1) if native_too else function

    return bound


def is_pieces(function: Any) -> bool:
    """Whether `in_pieces` has made a kernel."""
    return _fast is not None and isinstance(function, _fast.Pieces)


def whole(kernel: Any) -> Any:
    """The function that `in_pieces` was given; other kernels as they are."""
    return kernel.__wrapped__ if is_pieces(kernel) else kernel


def plan(function: Any, numbers: tuple[int, ...]) -> Any:
    """What native/loops.c has to do for `function`; None: it is not elementwise.

    Args:
        numbers: those of the arrays' dtypes.
    Returns:
        The number of the result's dtype, the least elements, the cost of one, the
        sizes of the registers' elements, the constants, and the steps: (ufunc or name
        of a loop, numbers of dtypes, registers).
    """
    if not all(n in _DTYPES for n in numbers):
        return None
    tracer = _Tracer()
    inputs = [_Traced(tracer, _DTYPES[n]) for n in numbers]
    try:
        with np.errstate(all="ignore"):
            made = function(*inputs)
    except Exception:  # of whatever kind: the function goes on to be called itself
        return None
    read = {id(x) for _, ins, _ in tracer.steps for x in ins}
    if type(made) is not _Traced or any(made is x for x in inputs):
        return None
    if not all(id(x) in read for x in inputs):
        return None
    return _Registers(tracer, inputs, made).facts()


class _Tracer:
    """What a kernel has called: [ufunc or name, inputs, output]."""

    def __init__(self) -> None:
        self.steps: list[tuple[Any, list, _Traced]] = []

    def step(self, loop: Any, inputs: list, dtype: np.dtype) -> "_Traced":
        made = _Traced(self, dtype)
        self.steps.append((loop, inputs, made))
        return made

    def call(self, ufunc: Any, inputs: tuple) -> "_Traced":
        """A ufunc's result, its inputs converted as NumPy converts them."""
        if ufunc.nout != 1 or ufunc.signature is not None:
            raise TypeError(f"{ufunc} is not elementwise")
        kinds = tuple(map(_kind_of, inputs))
        *wanted, result = ufunc.resolve_dtypes((*kinds, None))
        if ufunc is np.power and result.kind in "iu":
            raise TypeError("a loop that refuses negative powers")
        ins = [self.converted(x, t) for x, t in zip(inputs, wanted, strict=True)]
        return self.step(ufunc, ins, result)

    def converted(self, x: Any, dtype: np.dtype) -> Any:
        """A traced value or a constant in a dtype."""
        if type(x) is not _Traced:
            value = np.asarray(x, dtype)
            if value.ndim:
                raise TypeError("an array within the kernel")
            return _Constant(value)
        if x.dtype == dtype:
            return x
        name = f"{_WORD[x.dtype.char]}_{_WORD[dtype.char]}"
        return self.step(name, [x], dtype)

    def where(self, condition: Any, yes: Any, no: Any) -> "_Traced":
        """np.where of three."""
        dtype = np.result_type(*(_result_kind(x) for x in (yes, no)))
        if type(condition) is not _Traced or condition.dtype != bool:
            raise TypeError("a condition that is not a comparison")
        ins = [condition, self.converted(yes, dtype), self.converted(no, dtype)]
        return self.step({4: "choose4", 8: "choose8"}[dtype.itemsize], ins, dtype)


class _Constant:
    """A number within a kernel."""

    def __init__(self, value: np.ndarray) -> None:
        self.value, self.dtype = value, value.dtype


def _kind_of(x: Any) -> Any:
    """What `resolve_dtypes` takes: a dtype, or a Python type, which is weak."""
    if type(x) in (int, float, complex):
        return type(x)
    if isinstance(x, _Traced | np.ndarray | np.generic | bool):
        return x.dtype if not isinstance(x, bool) else np.dtype(bool)
    raise TypeError(f"{type(x)} within a kernel")


def _result_kind(x: Any) -> Any:
    return x.dtype if isinstance(x, _Traced | np.ndarray | np.generic) else x


_FEWER = {2: np.square, 1: np.positive, 0.5: np.sqrt, -1: np.reciprocal}


class _Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """Stands for an array in a call of a kernel, and knows its dtype alone."""

    def __init__(self, tracer: _Tracer, dtype: np.dtype) -> None:
        self._tracer, self.dtype = tracer, dtype

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **how: Any) -> Any:
        if method != "__call__" or how:
            raise TypeError(f"{ufunc}.{method} within a kernel")
        return self._tracer.call(ufunc, inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, how: Any) -> Any:
        if function is not np.where or len(args) != 3 or how:
            raise TypeError(f"{function} within a kernel")
        return self._tracer.where(*args)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("a kernel that wants the array itself")

    def __bool__(self) -> bool:
        raise TypeError("a kernel that branches on values")

    __hash__ = object.__hash__

    def __contains__(self, _: Any) -> bool:
        raise TypeError("a kernel that looks at elements")

    def astype(self, dtype: Any, copy: bool = True) -> "_Traced":
        """As that of arrays."""
        return self._tracer.converted(self, np.dtype(dtype))

    def __pow__(self, other: Any) -> Any:
        """NumPy's arrays have shortcuts for a few numbers."""
        if type(other) in (int, float) and other in _FEWER and self.dtype.kind == "f":
            return self._tracer.call(_FEWER[other], (self,))
        return np.power(self, other)


class _Registers:
    """Gives every value of a trace a place; what lies between steps shares places."""

    def __init__(self, tracer: _Tracer, inputs: list[_Traced], made: _Traced) -> None:
        self.steps, self.inputs, self.made = tracer.steps, inputs, made
        self.constants: list[_Constant] = []
        for _, ins, _ in self.steps:
            self.constants += [x for x in ins if type(x) is _Constant]
        self.at = {id(x): i for i, x in enumerate([*inputs, *self.constants])}
        self.first = len(self.at)

    def facts(self) -> Any:
        """See `plan`."""
        count = self._places()
        if count > 60:
            return None
        self.at[id(self.made)] = self.first + count
        sizes = [x.dtype.itemsize for x in self.inputs]
        sizes += [c.dtype.itemsize for c in self.constants]
        sizes += [0] * count + [self.made.dtype.itemsize]
        cost, steps = 0, []
        for loop, ins, out in self.steps:
            values = (*ins, out)
            registers = tuple(self.at[id(x)] for x in values)
            steps.append((loop, tuple(x.dtype.num for x in values), registers))
            sizes[registers[-1]] = out.dtype.itemsize
            cost += _COSTLY.get(getattr(loop, "__name__", ""), 1)
        filled = tuple(np.full(_PIECE, c.value) for c in self.constants)
        return self.made.dtype.num, _LEAST, cost, tuple(sizes), filled, tuple(steps)

    def _places(self) -> int:
        """Places of what lies between: free again after the last reader."""
        last = {id(x): i for i, (_, ins, _) in enumerate(self.steps) for x in ins}
        free: dict[int, list[int]] = {}
        count = 0
        for i, (_, ins, out) in enumerate(self.steps):
            size = out.dtype.itemsize
            if out is not self.made:
                if free.get(size):
                    place = free[size].pop()
                else:
                    place, count = count, count + 1
                self.at[id(out)] = self.first + place
            for x in {id(x): x for x in ins}.values():
                between = self.at[id(x)] >= self.first and x is not self.made
                if between and last[id(x)] == i:
                    place = self.at[id(x)] - self.first
                    free.setdefault(x.dtype.itemsize, []).append(place)
        return count
