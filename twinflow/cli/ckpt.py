"""`twinflow ckpt`: what is in checkpoints."""

import sys

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.checkpoint import reader
from twinflow.checkpoint.object_graph import PROTO_KEY
from twinflow.formats.checkpoint_v2 import index_path

USAGE = """\
usage: twinflow ckpt ls CHECKPOINT            its tensors: name, dtype, shape, bytes
       twinflow ckpt show CHECKPOINT NAME ... the values of tensors
       twinflow ckpt diff ONE ANOTHER         what differs
CHECKPOINT is a prefix (model.ckpt-100), its .index file, or a folder.
"""


def main(args):
    """Carry out the command; returns the exit status."""
    command, *rest = args or [""]
    counts = {"ls": (1, 1), "show": (2, None), "diff": (2, 2)}
    least, most = counts.get(command, (1, 0))
    if len(rest) < least or (most is not None and len(rest) > most):
        print(USAGE, end="", file=sys.stderr)
        return 2
    try:
        return {"ls": _list, "show": _show, "diff": _diff}[command](*rest)
    except (errors.OpError, ValueError) as error:
        print(f"twinflow ckpt: {getattr(error, 'message', error)}", file=sys.stderr)
        return 1


def _opened(path):
    return reader.load_checkpoint(path.removesuffix(index_path("")))


def _entries(opened):
    """(name, dtype, shape) of what is in a checkpoint, sorted by name."""
    kinds = opened.get_variable_to_dtype_map()
    shapes = opened.get_variable_to_shape_map()
    return [(name, kinds[name], tuple(shapes[name])) for name in sorted(shapes)]


def _list(path):
    opened, total, count = _opened(path), 0, 0
    entries = _entries(opened)
    width = max((len(name) for name, _, _ in entries), default=0)
    for name, dtype, shape in entries:
        text = f"{dtype.name}{list(shape)}"
        if dtype == dtypes.string:
            print(f"{name:{width}}  {text}")
            continue
        size, count = int(np.prod(shape)), count + 1
        total += size
        print(f"{name:{width}}  {text:24}  {size * dtype.size:>12,d} bytes")
    print(f"{count} tensors, {total:,d} numbers")
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
