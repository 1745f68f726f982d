"""`twinflow ckpt`: what is in checkpoints."""

import os
import zipfile

import numpy as np

from twinflow.base import dtypes, progress, stores, unfinished
from twinflow.base.files import translated
from twinflow.checkpoint import reader
from twinflow.checkpoint.object_graph import PROTO_KEY
from twinflow.cli import drawing
from twinflow.formats import safetensors
from twinflow.formats.checkpoint_v2 import index_path

_GUARD = "ckpt"


def ls(path: str, as_json: bool = False) -> int:
    """List the tensors."""
    return drawing.guarded(_GUARD, lambda: _list(path, as_json))


def show(path: str, names: tuple[str, ...]) -> int:
    """Print the values of tensors."""
    return drawing.guarded(_GUARD, lambda: _show(path, *names))


def diff(one: str, another: str) -> int:
    """Print what differs; the status is 1 if something does."""
    return drawing.guarded(_GUARD, lambda: _diff(one, another))


def to(path: str, target: str, quiet: bool = False) -> int:
    """Write the values to a file of NumPy or safetensors."""
    with progress.quiet(quiet):
        return drawing.guarded(_GUARD, lambda: _write(path, target, quiet))


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
    wanted = [e for e in _entries(opened) if e[1] != dtypes.string]
    sizes = [dtype.size * int(np.prod(shape)) for _, dtype, shape in wanted]
    found = {}
    with progress.phase("reading", sum(sizes), is_bytes=True) as read:
        for (name, _, _), size in zip(wanted, sizes, strict=True):
            found[name] = opened.get_tensor(name)
            read.done += size
    return found


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


def _write(path, target, quiet):
    write = {".safetensors": safetensors.write, ".npz": _write_npz}.get(
        os.path.splitext(target)[1]
    )
    if write is None:
        raise ValueError(f"{target} should end with .npz or .safetensors")
    with progress.operation(f"{path} -> {target}"):
        found = values(path)
        write(target, found)
    if not quiet:
        print(f"{path} -> {target}: {len(found)} tensors")
    return 0


def _write_npz(target, found):
    """Write a file of NumPy, which knows no bfloat16: that becomes float32."""
    with translated(target), unfinished.beside(target) as part:
        with zipfile.ZipFile(part, "w") as archive:
            for name, value in progress.over("writing", found.items()):
                array = np.asarray(value)
                if array.dtype.isbuiltin != 1:
                    array = array.astype(np.float32)
                with archive.open(f"{name}.npy", "w", force_zip64=True) as file:
                    np.lib.format.write_array(file, array, allow_pickle=False)
        stores.replace(part, target)
