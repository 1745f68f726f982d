"""The Python values that a function can reach and change, and digests of them.

A slot is one such value: a variable of an enclosing function or of the module, an
attribute of an object, a mutable argument. Which there are is read from the code: the
names in it, and those in the functions of the program that it calls.
"""

import collections
import io
import itertools
import operator
import random
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from twinflow.base.frames import is_internal
from twinflow.base.tensor import Composite, Tensor, TensorLike
from twinflow.verification.events import is_of_program

MOST_OBJECTS, MOST_SLOTS, MOST_ITEMS, DEEPEST = 400, 200, 50, 4
_ABSENT = object()
_TENSORS = (Tensor, TensorLike, Composite)
_PLAIN = (bool, int, float, complex, str, bytes, type(None))
_CONTAINERS = (list, dict, set, collections.deque)
_RANDOM = (np.random.RandomState, np.random.Generator, random.Random)


class Slot:
    """One value that Python code can change.

    Attributes:
        name: as the program calls it. read, write: of the value.
    """

    __slots__ = ("name", "read", "write")

    def __init__(self, name: str, read: Callable, write: Callable | None) -> None:
        self.name, self.read, self.write = name, read, write

    def digest(self) -> Any:
        """Changes with the value."""
        value = self.read()
        return "absent" if value is _ABSENT else digest(value)

    @property
    def draws(self) -> bool:
        """Whether it is a source of random numbers."""
        return isinstance(self.read(), _RANDOM)


def digest(value: Any, depth: int = 0) -> Any:
    """Something hashable that changes with the plain parts of a value."""
    kind = type(value)
    if kind in _PLAIN:
        return repr(value) if kind is float else value
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "O" or value.nbytes > 1_000_000:
            return "array", value.shape
        return "array", value.shape, hash(value.tobytes())
    if isinstance(value, np.generic):
        return repr(value)
    if isinstance(value, _RANDOM):
        return _digest_of_random(value)
    if isinstance(value, _TENSORS) or depth > DEEPEST:
        return "tensor"
    if isinstance(value, dict):
        items = itertools.islice(value.items(), MOST_ITEMS)
        parts = [(repr(k)[:50], digest(v, depth + 1)) for k, v in items]
        return "dict", len(value), tuple(parts)
    if isinstance(value, list | tuple | set | frozenset | collections.deque):
        some = itertools.islice(value, MOST_ITEMS)
        return kind.__name__, len(value), tuple(digest(v, depth + 1) for v in some)
    return _digest_of_other(value, kind, depth)


def _digest_of_other(value: Any, kind: type, depth: int) -> Any:
    if isinstance(value, itertools.count | itertools.cycle | itertools.repeat):
        return repr(value) if not isinstance(value, itertools.cycle) else "cycle"
    if isinstance(value, types.GeneratorType):
        frame = value.gi_frame
        own = () if frame is None else tuple(
            (k, digest(v, depth + 2)) for k, v in frame.f_locals.items()
        )  # fmt: skip
        return "generator", frame and frame.f_lasti, own
    if isinstance(
        value, io.StringIO | io.BytesIO | io.TextIOWrapper | io.BufferedIOBase
    ):
        return _position(value)
    if hasattr(value, "__length_hint__") and hasattr(value, "__next__"):
        return "iterator", operator.length_hint(value)
    if _of_program(kind) and depth < 3:
        parts = vars(value) if hasattr(value, "__dict__") else {}
        return kind.__name__, tuple(
            (k, digest(v, depth + 1)) for k, v in list(parts.items()) if _is_data(v)
        )
    return kind.__name__


def _position(file: Any) -> Any:
    try:
        return "file", file.tell()
    except (OSError, ValueError):
        return "file"


def _digest_of_random(value: Any) -> Any:
    if isinstance(value, random.Random):
        return hash(value.getstate())
    if isinstance(value, np.random.Generator):
        return repr(value.bit_generator.state)
    found: Any = value.get_state(legacy=False)
    inner = found["state"]
    key = inner.get("key")
    ends = () if key is None else (int(key[0]), int(key[-1]), int(inner["pos"]))
    return ends, found.get("has_gauss"), repr(inner) if key is None else ""


def _is_data(value: Any) -> bool:
    return isinstance(value, (*_PLAIN, *_CONTAINERS, tuple, np.ndarray, np.generic))


def _watched(value: Any) -> bool:
    """Whether a digest of `value` says more than its class."""
    if isinstance(value, (*_TENSORS, type, types.ModuleType, types.FunctionType)):
        return False
    return (
        _is_data(value) or isinstance(value, (*_RANDOM, types.GeneratorType, io.IOBase))
        or hasattr(value, "__next__")
    )  # fmt: skip


def _of_program(kind: type) -> bool:
    """Whether a class is one of the user's."""
    if kind.__module__.partition(".")[0] in ("builtins", "twinflow"):
        return False
    return any(is_of_program(c.co_filename) for c in _codes_of_class(kind))


def _codes_of_class(kind: type) -> Iterator[types.CodeType]:
    for base in kind.__mro__[:1]:
        for member in vars(base).values():
            code = getattr(getattr(member, "__func__", member), "__code__", None)
            if isinstance(code, types.CodeType):
                yield code


class Reach:
    """What the functions of a program reach.

    Args:
        function: where to begin; bound methods and objects count too.
        args: further objects that are given to it.
    Attributes:
        slots: list of Slot. names: those that the code reads, not those it only writes.
    """

    def __init__(self, function: Any, args: Any = ()) -> None:
        self.slots: dict[tuple, Slot] = {}
        self.names: set[str] = set()
        self.stored: set[str] = set()
        self._seen: set[int] = set()
        self._objects: list = []
        self._queue = collections.deque([(function, 0), *((a, 1) for a in args)])
        while self._queue and len(self._seen) < MOST_OBJECTS:
            self._visit(*self._queue.popleft())
        for value in self._objects:
            self._attributes(value)

    def _visit(self, value: Any, depth: int) -> None:
        if id(value) in self._seen or depth > 6:
            return
        if isinstance(value, _TENSORS) and not _of_program(type(value)):
            return
        self._seen.add(id(value))
        if isinstance(value, types.MethodType):
            self._queue.append((value.__func__, depth))
            self._queue.append((value.__self__, depth))
        elif isinstance(value, types.FunctionType):
            self._function(value, depth)
        elif hasattr(value, "python_function"):
            self._queue.append((value.python_function, depth))
        elif isinstance(value, list | tuple):
            self._queue.extend((v, depth + 1) for v in value[:MOST_ITEMS])
        elif isinstance(value, dict):
            some = itertools.islice(value.values(), MOST_ITEMS)
            self._queue.extend((v, depth + 1) for v in some)
        elif hasattr(value, "__dict__") and not isinstance(value, types.ModuleType):
            self._object(value, depth)

    def _object(self, value: Any, depth: int) -> None:
        if isinstance(value, type):
            return
        if _of_program(type(value)):
            self._objects.append(value)
            for base in type(value).__mro__:
                if is_internal_class(base):
                    continue
                methods = list(vars(base).values())
                self._queue.extend((m, depth) for m in methods if _is_function(m))
        inner = list(vars(value).values())
        self._queue.extend((v, depth + 1) for v in inner if not _is_data_alone(v))

    def _function(self, function: types.FunctionType, depth: int) -> None:
        if is_internal(function.__code__.co_filename):
            for cell in function.__closure__ or ():
                self._queue.append((_contents(cell), depth + 1))
            return
        for code in _codes(function.__code__):
            self._code(code, function, depth)
        for default in function.__defaults__ or ():
            self._slot_of_container("a default", default)

    def _code(self, code: types.CodeType, function: Any, depth: int) -> None:
        self.names.update(code.co_names, code.co_freevars)
        space = function.__globals__
        for name in code.co_names:
            if name in space:
                self._name(name, space, space[name], depth)
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        for name in code.co_freevars:
            if name in cells:
                self._cell(name, cells[name], depth)

    def _name(self, name: str, space: dict, value: Any, depth: int) -> None:
        if _watched(value):
            read = lambda: space.get(name, _ABSENT)
            self._put((id(space), name), Slot(name, read, _setter(space, name)))
        if not _is_data_alone(value):
            self._queue.append((value, depth + 1))

    def _cell(self, name: str, cell: Any, depth: int) -> None:
        value = _contents(cell)
        if _watched(value):
            write = lambda v: setattr(cell, "cell_contents", v)
            self._put((id(cell), name), Slot(name, lambda: _contents(cell), write))
        if not _is_data_alone(value):
            self._queue.append((value, depth + 1))

    def _slot_of_container(self, name: str, value: Any) -> None:
        if isinstance(value, _CONTAINERS):
            self._put((id(value), name), Slot(name, lambda: value, None))

    def _attributes(self, value: Any) -> None:
        for name in sorted(self.names):
            held = (
                vars(value).get(name, _ABSENT) if hasattr(value, "__dict__") else None
            )
            if name.startswith("__") or (held is not _ABSENT and not _watched(held)):
                continue
            own = vars(value)
            if held is _ABSENT and not _watched(getattr(type(value), name, 0)):
                continue  # a method or property of the class
            default = (
                getattr(type(value), name, _ABSENT) if held is _ABSENT else _ABSENT
            )
            read = lambda own=own, name=name, d=default: own.get(name, d)
            slot = Slot(f"{type(value).__name__}.{name}", read, _setter(own, name))
            self._put((id(value), name), slot)

    def arguments(self, values: Any) -> None:
        """Further slots for mutable arguments."""
        for value in values:
            self._slot_of_container("an argument", value)

    def _put(self, key: tuple, slot: Slot) -> None:
        if len(self.slots) < MOST_SLOTS:
            self.slots.setdefault(key, slot)

    def captured(self) -> dict[str, str]:
        """The plain values that the code reads, as texts, by name."""
        found = {}
        for slot in self.slots.values():
            value = slot.read()
            if _is_constant(value):
                found[slot.name] = _shown(value)
        return found


def is_internal_class(kind: type) -> bool:
    """Whether a class is none of the user's."""
    return not _of_program(kind)


def _is_function(value: Any) -> bool:
    return isinstance(value, types.FunctionType) or hasattr(value, "python_function")


def _is_data_alone(value: Any) -> bool:
    """Whether nothing can be reached through `value`."""
    return isinstance(value, (*_PLAIN, np.ndarray, np.generic))


def _is_constant(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return len(value) <= MOST_ITEMS and all(map(_is_constant, value))
    if isinstance(value, dict):
        return len(value) <= MOST_ITEMS and all(map(_is_constant, value.values()))
    if isinstance(value, np.ndarray):
        return value.size <= 10_000
    return isinstance(value, (*_PLAIN, np.generic)) and value is not None


def _shown(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 200 else f"{text[:150]}... ({hash(text):x})"


def _contents(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _ABSENT


def _setter(space: dict, name: str) -> Callable:
    def write(value: Any) -> None:
        if value is _ABSENT:
            space.pop(name, None)
        else:
            space[name] = value

    return write


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A code object and those inside it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _codes(const)


# ------------------------------------------------------------------ putting back
class Snapshot:
    """The values of slots, which can be put back."""

    def __init__(self, slots: Any) -> None:
        self._kept = []
        for slot in slots:
            value = slot.read()
            self._kept.append((slot, value, _copy(value)))
        self._numpy, self._python = np.random.get_state(), random.getstate()

    def put_back(self) -> None:
        """The slots have their values again; containers stay the same objects."""
        for slot, value, copy in self._kept:
            if slot.write is not None and slot.read() is not value:
                slot.write(value)
            _refill(value, copy)
        np.random.set_state(self._numpy)
        random.setstate(self._python)


def _copy(value: Any) -> Any:
    if isinstance(value, list | collections.deque):
        return [(v, _copy(v)) for v in value]
    if isinstance(value, dict):
        return {k: (v, _copy(v)) for k, v in value.items()}
    if isinstance(value, set):
        return set(value)
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, np.random.RandomState):
        return value.get_state()
    if isinstance(value, random.Random):
        return value.getstate()
    if isinstance(value, np.random.Generator):
        return value.bit_generator.state
    return None


def _refill(value: Any, copy: Any) -> None:
    if isinstance(value, list | collections.deque):
        value.clear()
        value.extend(v for v, _ in copy)
        for v, inner in copy:
            _refill(v, inner)
    elif isinstance(value, dict):
        value.clear()
        value.update((k, v) for k, (v, _) in copy.items())
        for v, inner in copy.values():
            _refill(v, inner)
    elif isinstance(value, set):
        value.clear()
        value.update(copy)
    elif isinstance(value, np.ndarray) and value.flags.writeable:
        value[...] = copy
    elif isinstance(value, np.random.RandomState):
        value.set_state(copy)
    elif isinstance(value, random.Random):
        value.setstate(copy)
    elif isinstance(value, np.random.Generator):
        value.bit_generator.state = copy
