"""`twinflow ckpt`: what is in checkpoints."""

import io

import numpy as np

from twinflow.base import dtypes, unfinished
from twinflow.checkpoint import reader
from twinflow.checkpoint.object_graph import PROTO_KEY
from twinflow.cli import drawing
from twinflow.formats import safetensors
from twinflow.formats.checkpoint_v2 import index_path

_GUARD = "ckpt"
_TAKEN = ("file", "allow_pickle")  # names that numpy.savez has uses for


def ls(path: str, as_json: bool = False) -> int:
    """List the tensors."""
    return drawing.guarded(_GUARD, lambda: _list(path, as_json))


def show(path: str, names: tuple[str, ...]) -> int:
    """Print the values of tensors."""
    return drawing.guarded(_GUARD, lambda: _show(path, *names))


def diff(one: str, another: str) -> int:
    """Print what differs; the status is 1 if something does."""
    return drawing.guarded(_GUARD, lambda: _diff(one, another))


def to(path: str, target: str) -> int:
    """Write the values to a file of NumPy or safetensors."""
    return drawing.guarded(_GUARD, lambda: _write(path, target))


def _opened(path):
    return reader.load_checkpoint(path.removesuffix(index_path("")))


def _entries(opened):
    """(name, dtype, shape) of what is in a checkpoint, sorted by name."""
    kinds = opened.get_variable_to_dtype_map()
    shapes = opened.get_variable_to_shape_map()
    return [(name, kinds[name], tuple(shapes[name])) for name in sorted(shapes)]


def values(path: str) -> dict[str, np.ndarray]:
    """Named arrays of a checkpoint; strings say how it was made, not what is in it."""
    opened = _opened(path)
    numbers = (n for n, dtype, _ in _entries(opened) if dtype != dtypes.string)
    return {name: opened.get_tensor(name) for name in numbers}


def _list(path, as_json):
    entries = _entries(_opened(path))
    sizes = [int(np.prod(s)) if d != dtypes.string else None for _, d, s in entries]
    if as_json:
        drawing.write_json([
            {"name": n, "dtype": d.name, "shape": list(s), "bytes": c and c * d.size}
            for (n, d, s), c in zip(entries, sizes)
        ])  # fmt: skip
        return 0
    rows = [
        (n, f"{d.name}{list(s)}", "" if c is None else f"{c * d.size:,d} bytes")
        for (n, d, s), c in zip(entries, sizes)
    ]
    drawing.show(rows, ("name", "type", "size"), right=("size",))
    counts = [count for count in sizes if count is not None]
    print(f"{len(counts)} tensors, {sum(counts):,d} numbers")
    return 0


def _show(path, *names):
    opened = _opened(path)
    for name in names:
        value = opened.get_tensor(name)
        if name == PROTO_KEY:
            print(name, "\n", reader.object_graph(value), sep="")
        elif isinstance(value, bytes):
            print(name, repr(value))
        else:
            print(f"{name} {value.dtype}{list(np.shape(value))}\n{value}")
    return 0


def _diff(one, another):
    """Prints the differences; the status is 1 if there are any."""
    first, second = _opened(one), _opened(another)
    a, b = ({n: (d, s) for n, d, s in _entries(x)} for x in (first, second))
    lines = [f"- {name}" for name in a if name not in b]
    lines += [f"+ {name}" for name in b if name not in a]
    for name in a:
        if name in b and (line := _difference(first, second, name, a[name], b[name])):
            lines.append(f"~ {name}  {line}")
    print("\n".join(lines) if lines else "no difference")
    return int(bool(lines))


def _difference(first, second, name, a, b):
    """How a tensor differs, or None."""
    if a != b:
        texts = [f"{dtype.name}{list(shape)}" for dtype, shape in (a, b)]
        return " -> ".join(texts)
    x, y = first.get_tensor(name), second.get_tensor(name)
    if np.array_equal(x, y, equal_nan=a[0].is_floating or a[0].is_complex):
        return None
    if a[0].is_floating or a[0].is_integer:
        gap = np.abs(np.asarray(y, np.float64) - np.asarray(x, np.float64))
        return f"{np.count_nonzero(gap)} of {gap.size} differ, by at most {gap.max():g}"
    return "other values"


def _write(path, target):
    found = values(path)
    if target.endswith(".safetensors"):
        safetensors.write(target, found)
    elif target.endswith(".npz"):
        unfinished.write(target, _npz(found))
    else:
        raise ValueError(f"{target} should end with .npz or .safetensors")
    print(f"{path} -> {target}: {len(found)} tensors")
    return 0


def _npz(found):
    """The bytes of a file of NumPy, which knows no bfloat16: that becomes float32."""
    clashing = [name for name in _TAKEN if name in found]
    if clashing:
        raise ValueError(f"numpy.savez takes no array named {clashing[0]!r}; write a "
                         ".safetensors file")  # fmt: skip
    held = {n: v if v.dtype.isbuiltin == 1 else v.astype(np.float32) for n, v in
            ((n, np.asarray(v)) for n, v in found.items())}  # fmt: skip
    content = io.BytesIO()
    np.savez(content, **held)
    return content.getvalue()
