"""Single ops on an accelerator: the kernels on jax.numpy, compiled per op and shape."""

import functools
import os

import jax
import numpy as np

from twinflow.base.state import Cell
from twinflow.lower.lowering import _exact, kernel_of


@functools.cache
def _devices():
    fake = int(os.environ.get("TWINFLOW_FAKE_GPUS", "0"))
    if fake:
        return jax.local_devices(backend="cpu")[1 : fake + 1]
    return [d for d in jax.local_devices() if d.platform != "cpu"]


def count():
    """How many accelerators there are."""
    return len(_devices())


def device(index):
    """The device of jax that accelerator `index` is; None = the CPU."""
    return jax.local_devices(backend="cpu")[0] if index is None else _devices()[index]


def index_of(buffer):
    """The number of the accelerator that a buffer is on; None = the CPU."""
    found = [i for i, d in enumerate(_devices()) if buffer.device == d]
    return found[0] if found else None


def is_buffer(value):
    """Whether a value is a buffer of jax and not an array."""
    return isinstance(value, jax.Array)


def read(buffer):
    """The array of a buffer."""
    return np.asarray(buffer)


def facts(index):
    """(bytes of memory that programs may take, a description) of an accelerator."""
    found = _devices()[index]
    stats = found.memory_stats() or {}
    name = f"device: {index}, name: {found.device_kind}"
    return stats.get("bytes_limit", 1 << 28), name


def put(value, index):
    """An array or buffer as a buffer of accelerator `index`."""
    with jax.enable_x64(True):
        return jax.device_put(value, _devices()[index])


def run(op, args, attrs, index, kinds):
    """Run one op there.

    Args:
        op: the Op. args: arrays, buffers, Cells and host values, as its kernel takes.
        attrs: its attributes. index: of the accelerator.
        kinds: the DTypes of the outputs.
    Returns:
        A list of buffers; None if the op's guard found values that it does not take
        (nothing is changed).
    """
    cells = [a for a in args if isinstance(a, Cell)]
    specs = list(op.sig.inputs)
    if op.cell is not None and not cells:  # the cell is an attribute
        cells = [attrs[op.cell]]
        args, specs = [*cells, *args], [None, *specs]
    moved, fixed = [], []
    for i, a in enumerate(args):
        if isinstance(a, Cell):
            moved.append(put(a.state(held=True), index))
        elif specs[i].host:
            fixed.append((i, _key(a)))
        else:
            moved.append(put(a, index))
    facts = tuple((k, _key(v)) for k, v in attrs.items())
    run_compiled = _compiled(op, tuple(fixed), len(args), facts, tuple(kinds))
    with jax.enable_x64(True):
        result, new, ok = run_compiled(moved)
    if op.guard and not bool(ok):
        return None
    for cell, state in zip(cells, new, strict=bool(new)):  # none is written by a read
        cell.write_device(state)
    return result


def _key(value):
    """A host value or attribute in a form that can be a key of the cache."""
    if isinstance(value, np.ndarray | np.generic):
        return ("array", value.dtype.str, value.shape, value.tobytes())
    return tuple(value) if isinstance(value, list) else value


def _value(key):
    if isinstance(key, tuple) and key[:1] == ("array",):
        _, kind, shape, data = key
        return np.frombuffer(data, kind).reshape(shape)
    return key


@functools.lru_cache(maxsize=4096)
def _compiled(op, fixed, count, facts, kinds):
    host = {i: _value(key) for i, key in fixed}
    kernel, attrs = kernel_of(op), {k: _value(v) for k, v in facts}

    def call(moved):
        values = iter(moved)
        args = [host[i] if i in host else next(values) for i in range(count)]
        given = args[count - len(op.sig.inputs) :]  # the cell may be an attribute
        ok = op.guard(jax.numpy)(*given, **attrs) if op.guard else True
        out, new = _split(op, kernel(*args, **attrs))
        return [_exact(v, d) for v, d in zip(out, kinds, strict=True)], new, ok

    return jax.jit(call)


def _split(op, found):
    """(results, new states)"""
    new = ()
    if op.step:
        found, new = found
        new = new if type(new) is tuple else (new,)
        new = new if op.writes_cell else ()
    return (found,) if op.single else found, new
