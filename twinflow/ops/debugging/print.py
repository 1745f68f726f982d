"""Printing while a program runs: tf.Print, tf.print and texts of tensors."""

import datetime
import os
import pprint
import random
import sys
import time
from typing import Any

import numpy as np

from twinflow.base import dispatch, dtypes, logging, nest
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Composite, Tensor, TensorLike
from twinflow.ops.core.infer import scalar, unchanged
from twinflow.ops.debugging.summarize import summarize as summarized


class Count:
    """How often a tf.Print has run."""

    def __init__(self):
        self.value = 0

    def fresh(self):
        """A count for another session."""
        return Count()


def _print_kernel(input, data, message, first_n, summarize, count):
    count.value += 1
    if first_n < 0 or count.value <= first_n:
        shown = "".join(f"[{summarized(d, summarize)}]" for d in data)
        print(message + shown, file=sys.stderr, flush=True)
    return input


PrintOp = define(
    "Print",
    attrs={"count": None},
    infer=unchanged,
    host=_print_kernel,
    grad=[lambda dy: dy, None],
    cell="count",
    stateful=True,
)


def Print(
    input_: Any, data: TensorValue, message: str | None = None, first_n: Any = None,
    summarize: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """`input_`, printing `data` to the standard error when it is computed.

    Args:
        input_: a tensor. data: a list of tensors to print, each as `[1 2 3...]`.
        message: a text to begin with.
        first_n: print only the first `first_n` times; negative = always.
        summarize: how many values of each tensor to print; 3 if not given.
        name: the name of the node in a graph.
    Returns:
        A tensor like `input_`; gradients pass through.
    Example:
        x = tf.ones([2, 3])
        x = tf.Print(x, [tf.shape(x)], "shape of x: ")
    """
    if not isinstance(data, list | tuple) and not dispatch.current_mode().eager:
        raise TypeError(f"Expected list for 'data' argument to 'Print' Op, not {data}.")
    attrs = {
        "message": _text(message or ""),
        "first_n": -1 if first_n is None else first_n,
        "summarize": 3 if summarize is None else summarize,
    }
    attrs["count"] = _count_of(attrs)
    return apply(PrintOp, (input_, data), attrs, name)


def _count_of(attrs):
    """A node counts for itself; eager calls that look the same count together."""
    mode = dispatch.current_mode()
    if not mode.eager:
        return Count()
    counts = mode.state.setdefault("prints", {})
    return counts.setdefault(tuple(attrs.values()), Count())


def _text(value):
    return value.decode("utf-8") if isinstance(value, bytes) else value


# ---------------------------------------------------------------------- tf.print
def _format_kernel(inputs, template, placeholder, summarize):
    parts = template.split(placeholder)
    shown = [summarized(a, summarize, by_ends=True) for a in inputs]
    if len(shown) != len(parts) - 1:
        raise invalid(
            f"num placeholders in template and num inputs must match: {len(parts) - 1} "
            f"vs. {len(shown)}"
        )
    text = "".join(p + s for p, s in zip(parts, [*shown, ""]))
    return np.array(text.encode("utf-8"), object)


StringFormat = define("StringFormat", infer=scalar, host=_format_kernel)


def string_format(
    template: str, inputs: TensorValue, placeholder: str = "{}",
    summarize: int | None = 3, name: str | None = None,
) -> Tensor:  # fmt: skip
    """`template` with the values of tensors in the places of its placeholders.

    Args:
        template: a str. inputs: a tensor or a list of them, one per placeholder.
        placeholder: what stands for a tensor in `template`.
        summarize: how many values to show at both ends of each axis; -1 = all.
        name: the name of the node in a graph.
    Returns:
        string scalar
    Raises:
        ValueError: there are more or fewer placeholders than tensors.
    Example:
        tf.strings.format("x: {}", tf.constant([1, 2]))  # b"x: [1 2]"
    """
    if isinstance(inputs, Tensor | TensorLike):
        inputs = [inputs]
    template, placeholder = _text(template), _text(placeholder)
    if template.count(placeholder) != len(inputs):
        raise ValueError(
            f"{template.count(placeholder)} placeholder(s) in template does not match "
            f"{len(inputs)} tensor(s) provided as input"
        )
    attrs = {"template": template, "placeholder": placeholder, "summarize": summarize}
    return apply(StringFormat, (inputs,), attrs, name)


_SEVERITY = {"log(info)": "I", "log(warning)": "W", "log(error)": "E"}


def _print_v2_kernel(input, output_stream):
    if np.ndim(input):
        shown = ",".join(map(str, np.shape(input)))
        raise invalid(f"Input is expected to be scalar, but got [{shown}]")
    text = np.asarray(input)[()].decode("utf-8", "backslashreplace")
    if output_stream in ("stdout", "stderr"):
        print(text, file=getattr(sys, output_stream), flush=True)
    elif _level(output_stream) >= int(os.environ.get("TF_CPP_MIN_LOG_LEVEL") or 0):
        now = datetime.datetime.now()
        letter = _SEVERITY[output_stream]
        print(f"{now}: {letter} tf.print] {text}", file=sys.stderr, flush=True)
    return ()


def _level(output_stream):
    return list(_SEVERITY).index(output_stream)


def _check_stream(input, output_stream):
    if output_stream not in ("stdout", "stderr", *_SEVERITY):
        raise ValueError(
            f"Unknown output stream: {output_stream}, must be stdout, stderr, "
            "log(info), log(warning), or log(error)"
        )
    return []


PrintV2 = define("PrintV2", infer=_check_stream, host=_print_v2_kernel, stateful=True)


def print_v2(*inputs: Any, **kwargs: Any) -> Any:
    """Print tensors and other values, on one line if they fit there.

    Args:
        *inputs: tensors, Python values, and structures of them.
        output_stream: sys.stderr (if not given), sys.stdout, or one of
            tf.logging.info, tf.logging.warning and tf.logging.error.
        summarize: how many values to show at both ends of each axis; 3 if not given,
            -1 = all.
        name: the name of the node in a graph.
    Returns:
        None in eager mode; in a graph the op that prints, which something must run.
    Raises:
        ValueError: another stream or keyword.
    Example:
        import sys
        tf.print("loss:", tf.constant(0.5), output_stream=sys.stdout)
    """
    stream = kwargs.pop("output_stream", sys.stderr)
    name, summarize = kwargs.pop("name", None), kwargs.pop("summarize", 3)
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    where = _stream_name(stream)
    text = _whole(inputs)
    if text is None:
        template, tensors, placeholder = _template(inputs)
        label = f"{name}_format" if name else None
        text = string_format(template, tensors, placeholder, summarize, label)
    printed = apply(PrintV2, (text,), {"output_stream": where}, name)
    return None if dispatch.current_mode().eager else printed


def _stream_name(stream):
    known = {
        sys.stdout: "stdout", sys.stderr: "stderr",
        logging.INFO: "log(info)", logging.info: "log(info)",
        logging.WARN: "log(warning)", logging.warning: "log(warning)",
        logging.warn: "log(warning)",
        logging.ERROR: "log(error)", logging.error: "log(error)",
    }  # fmt: skip
    if stream not in known:
        raise ValueError(
            f"Unsupported output stream or logging level {stream}. Supported streams "
            "are sys.stdout, sys.stderr, tf.logging.info, tf.logging.warning, "
            "tf.logging.error"
        )
    return known[stream]


def _whole(inputs):
    """The one string scalar that is printed as it is, if that is all."""
    one = inputs[0] if len(inputs) == 1 else None
    plain = isinstance(one, Tensor) and one.dtype is dtypes.string
    return one if plain and one._shape == () else None


def _is_tensor(x):
    return isinstance(x, Tensor | TensorLike | Composite)


def _template(inputs):
    """The text with placeholders, the tensors for them, and the placeholder."""
    bare = nest.map_structure(lambda x: "" if _is_tensor(x) else x, inputs)
    mark = _unused_in(" ".join(map(pprint.pformat, bare)))
    tensors: list = []
    parts = []
    for value in inputs:
        shown = [_shown(x, mark, tensors) for x in nest.flatten(value)]
        packed = nest.pack_sequence_as(value, shown)
        parts.append(value if isinstance(value, str) else pprint.pformat(packed))
    return " ".join(parts).replace(f"'{mark}'", mark), tensors, mark


def _unused_in(text):
    mark, digits = "{}", random.Random(5)
    while mark in text:
        mark += str(digits.randint(0, 9))
    return mark


def _shown(x, mark, tensors):
    """What stands in the template for one leaf."""
    if isinstance(x, Composite):
        parts = [t for t in x._components() if t is not None]
        tensors.extend(parts)
        names = getattr(type(x)._value, "_fields", ())
        fields = ", ".join(
            f"{'shape' if n == 'dense_shape' else n}={mark}"
            for n, _ in zip(names, parts)
        )
        return f"{type(x).__name__}({fields})"
    if isinstance(x, Tensor | TensorLike):
        tensors.append(x)
        return mark
    return _Number(x) if isinstance(x, np.generic) else x


class _Number:
    """A NumPy scalar, shown without its type."""

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return str(self.value)


# ---------------------------------------------------------------------- time
Timestamp = define(
    "Timestamp", infer=scalar, host=lambda: np.float64(time.time()), stateful=True
)


def timestamp(name: str | None = None) -> Any:
    """Seconds since 1970 when it is computed: float64 scalar."""
    return apply(Timestamp, (), None, name)
