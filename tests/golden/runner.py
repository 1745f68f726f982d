"""Runs small programs and writes down what they show: real TensorFlow or twinflow.

Usage: `PYTHON tests/golden/runner.py tensorflow PROGRAMS.py > GOLDEN.json`, under
Python 3.6 with TensorFlow 1.12 to make the golden files. The tests run the same
programs with twinflow and compare (see test_golden.py). The programs of a file
`graph_NAME.py` run in graph mode, the others eagerly; each has a default graph of its
own, so that what ran before it in the process does not matter.

A file of programs is cut at lines `# --- name`, or `# --- name | reason` where
twinflow differs on purpose. Each program is run by itself with `tf`, `tfe`, `np` and
`show`; what it shows is noted: the value, dtype, shape and printed form, or the class
and text of the error that ended it.
"""

import importlib
import json
import re
import sys
import traceback

import numpy as np


def programs(path):
    """(name, source) of each program in a file; lines keep their numbers."""
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    starts = [i for i, line in enumerate(lines) if line.startswith("# --- ")]
    for start, stop in zip(starts, starts[1:] + [len(lines)]):
        source = "\n" * start + "\n".join(lines[start:stop])
        yield lines[start][6:].partition("|")[0].strip(), source


def _value(x):
    """An array as something JSON holds: numbers as they are, others as text."""
    a = np.asarray(x)
    if a.dtype.kind == "c":
        return {"real": _value(a.real), "imag": _value(a.imag)}
    if a.dtype.kind in "OSU":
        flat = [v.decode("latin1") if isinstance(v, bytes) else str(v) for v in a.flat]
        return {"strings": flat}
    if a.dtype.kind not in "fiub":
        a = a.astype(np.float64)  # bfloat16
    return [repr(v) if isinstance(v, float) else v for v in a.ravel().tolist()]


def text(x):
    """How `x` prints, without what differs from run to run."""
    out = re.sub(r"id=\d+", "id=N", str(x))
    return re.sub(r"0x[0-9a-f]+", "0xN", out)


def cause(error):
    """What an error says, without where its op was made and who raised it."""
    return re.split(r"\s+\[\[|\n\nCaused by|\nTraceback", text(error))[0]


def note(x):
    """What is known of one shown value."""
    if isinstance(x, (list, tuple)):
        return {"kind": type(x).__name__, "items": [note(v) for v in x]}
    if isinstance(x, dict):
        return {"kind": "dict", "items": [[str(k), note(x[k])] for k in sorted(x)]}
    if hasattr(x, "indices") and hasattr(x, "dense_shape"):
        parts = [note(v) for v in (x.indices, x.values, x.dense_shape)]
        return {"kind": type(x).__name__, "items": parts}
    if hasattr(x, "initializer") and "numpy=" not in text(x):
        return {"kind": "Variable", "str": text(x), "repr": text(repr(x))}
    if hasattr(x, "numpy") and hasattr(x, "dtype"):
        return {
            "kind": "Variable" if hasattr(x, "assign") else "Tensor",
            "dtype": x.dtype.name,
            "shape": [int(d) for d in x.shape],
            "value": _value(x.numpy()),
            "str": text(x),
            "repr": text(repr(x)),
        }
    if isinstance(x, (np.ndarray, np.generic)):
        return {
            "kind": "array", "dtype": x.dtype.name, "shape": list(x.shape),
            "value": _value(x),
        }  # fmt: skip
    if hasattr(x, "value_index") and hasattr(x, "op"):
        return {"kind": "graph tensor", "str": text(x), "repr": text(repr(x))}
    if hasattr(x, "get_attr") and hasattr(x, "outputs"):
        return {"kind": "operation", "repr": text(repr(x))}
    return {"kind": type(x).__name__, "str": text(x)}


def run(source, path, tf, tfe, values=()):
    """Run one program, with an empty default graph; returns what it showed.

    Args:
        source: its text. path: its file. tf, tfe: the modules. values: more names.
    """
    tf.reset_default_graph()
    shown = []
    scope = {
        "tf": tf, "tfe": tfe, "np": np, "__name__": "program",
        "show": lambda *xs: shown.extend(note(x) for x in xs), **dict(values),
    }  # fmt: skip
    try:
        exec(compile(source, path, "exec"), scope)
    except Exception as error:
        frames = traceback.extract_tb(sys.exc_info()[2])
        line = [f[1] for f in frames if f[0] == path]
        shown.append(
            {
                "error": _class_of(error),
                "text": cause(error),
                "line": line[-1] if line else None,
            }
        )
    return shown


def _class_of(error):
    """The name of its class; a UsageError is what TensorFlow's own assertions raise."""
    name = type(error).__name__
    return "AssertionError" if name == "UsageError" else name


def is_graph(path):
    """Whether the programs of a file run in graph mode."""
    return "/graph_" in path


def main(module, path):
    tf = importlib.import_module(module)
    if not is_graph(path):
        tf.enable_eager_execution()
    tfe = tf.contrib.eager
    found = {name: run(source, path, tf, tfe) for name, source in programs(path)}
    lines = (f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(found.items()))
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
