"""Random programs held against TensorFlow 1.12, and where the two differ on purpose."""

import json
import os
import pickle
import re
import subprocess

import numpy as np

import twinflow as tf
from tests import ways
from tests.support import programs_check, programs_run

# Where the two may differ: what twinflow says, what TensorFlow says, and why. "None"
# stands for a result. The first that fits explains a difference.
EXPLAINED = [
    (r"", r"InternalError Could not find valid device", "1.12 has no kernel"),
    (r"", r"InternalError RET_CHECK failure", "1.12 has only an XLA kernel"),
    (r"", r"InvalidArgumentError No OpKernel was registered", "1.12 has no kernel"),
    (r"None", r"UnimplementedError", "1.12 has no kernel"),
    (r"None", r"NotFoundError", "1.12 has no kernel"),
    (r"", r"(LookupError|RuntimeError) .*[nN]o gradient", "we have the gradient"),
    (r"", r"LookupError gradient registry has no entry", "we have the gradient"),
    (r"", r"TypeError Second-order gradient for while loops", "we have it"),
    (r"None", r"InvalidArgumentError Value for attr 'T' of u?int\d+ is not in",
     "its optimizer turns x * x into Square, which takes fewer types"),
    (r"None", r"InvalidArgumentError Retval\[\d+\] does not have value",
     "a gradient it takes out of a branch"),
    (r"None", r"InvalidArgumentError .*has inputs from different frames",
     "a gradient it takes out of a loop"),
    (r"None", r"InvalidArgumentError .*accumulate_n|.*AccumulateNV2",
     "its optimizer loses the frame of accumulate_n"),
    (r"", r"TypeError unsupported operand type\(s\) for -: 'NoneType'",
     "it does sums with a rank that is not known"),
    (r"None", r"TypeError Input '\w+' of '\w+' Op has type \w+ that does not match",
     "a number before a tensor takes its type there only from numbers before it"),
    (r"(TypeError Expected u?int|TypeError Value passed)", r"None",
     "its eager mode cuts off floats beside integers without a word"),
    (r"InvalidArgumentError Cross-products", r"FailedPreconditionError Cross-products",
     "one class for a wrong shape"),
    (r"(ValueError|TypeError) Tensor conversion", r"(InvalidArgument|Type)Error ",
     "a wrong dtype is noticed where the value enters"),
    (r"InvalidArgumentError Negative dimension size", r"None",
     "its eager kernel gives an empty result that its graphs refuse"),
    (r"InvalidArgumentError start must be a scalar", r"ValueError Shape must be rank",
     "a graph learns the rank of a bound of range when it runs"),
    (r"AxisError", r"IndexError", "AxisError is one"),
    (r"", r"AttributeError 'list' object has no attribute 'numpy'",
     "its eager TensorArray.gather gives a list"),
    (r"None", r"InvalidArgumentError Wrong input container. _tensor_array_grads",
     "a gradient of a TensorArray that a loop reads"),
    (r"TypeError Value passed to parameter", r"InvalidArgumentError Value for attr",
     "its eager mode words a dtype that is not allowed in another class"),
    (r"TypeError Value passed to parameter", r"InvalidArgumentError Binary op",
     "a floor of complex numbers fails while it is compiled"),
    (r"TypeError Value passed to parameter 'x' has DataType string",
     r"UnimplementedError Cast string", "strings are refused by dtype"),
    (r"InvalidArgumentError \d+ is out of range \[0|ValueError perm dim", r"None",
     "its softmax takes an axis that is not there"),
    (r"(InvalidArgumentError|ValueError).* is out of range",
     r"(ValueError|InvalidArgumentError) Requires start <= limit",
     "its softmax finds out by making a range"),
    (r"InvalidArgumentError invalid shape to broadcast", r"None",
     "its eager broadcast_to takes any shape into an empty one"),
    (r"TypeError Tensors in list passed to 'indices' of 'DynamicStitch'", r"",
     "an empty list is one of floats"),
    (r"TypeError x and y must have the same dtype", r"ValueError Tensor conversion",
     "a division words it for graphs, too"),
    (r"ValueError .*is out of range|ValueError .*rank", r"InvalidArgumentError ",
     "a graph refuses when it is built what 1.12 refuses when it runs"),
    (r"None", r"InvalidArgumentError In\[0\].dim|ValueError Dimension 0 in both shapes",
     "batches of matrices broadcast"),
    (r"ValueError too many values", r"InvalidArgumentError In\[0\] and In\[1\] has",
     "batches of matrices broadcast"),
    (r"", r"UnimplementedError", "1.12 has no kernel"),
    (r"TypeError (Value passed|Input '\w+' of|Expected \w+, got|Only integers, slices)",
     r"(InvalidArgument|Value|Assertion)Error",
     "a value of a wrong kind is refused where it enters"),
    (r"ValueError Dimension (\S+ must be in the range|mismatch on axis)",
     r"InvalidArgumentError ", "wrong sizes are noticed before anything runs"),
    (r"AxisError", r"InvalidArgumentError indices", "it gathers the sizes of its axes"),
    (r"None|InvalidArg", r"TypeError 'NoneType' object is not subscriptable",
     "it does sums with a rank that is not known"),
    (r"ValueError Cannot broadcast", r"None|InvalidArgumentError Dimension -1",
     "its broadcast_to takes any shape into an empty one"),
    (r"None", r"ValueError Cannot reshape .*DynamicPartition_grad",
     "a gradient of partitions without rows"),
    (r"", r"ValueError Incompatible shapes between op input and calculated input grad",
     "its gradient of atan2 does not broadcast"),
    (r"InvalidArgumentError assertion failed", r"ValueError Fill dimensions",
     "a graph looks at labels first, which are known when it runs"),
    (r"ValueError Fill dimensions", r"TypeError Value passed",
     "of two faults it meets the other first"),
    (r"InvalidArgumentError Integer division", r"InternalError Unexpected error in bin",
     "a division by zero says so"),
    (r"None", r"InvalidArgumentError Input 1 of node .*Switch_1_grad/b_switch was pass",
     "a gradient of a loop in the dtype of its variables"),
    (r".*Sliding window ksize must be positive", r"None", "no window has no elements"),
    (r"None", r"ValueError (Cannot infer num from|Input tensor '.*' enters the loop)",
     "the shape of what a tensor array gives is known"),
    (r"", r"LookupError Gradient explicitly disabled", "we have the gradient"),
    (r"InvalidArgumentError slice index", r"ValueError slice index",
     "what is sliced has a shape that only it knows before it runs"),
    (r"InvalidArgumentError \d+ is missing from", r"None",
     "its dynamic_stitch leaves holes as they are"),
    (r"None", r"InvalidArgumentError transpose expects",
     "it does sums with a rank that is not known"),
]  # fmt: skip
# What is computed otherwise on purpose: what stands in the program, which arrays may
# differ (ours, theirs), and why.
VALUES = [
    ("tf.truncatediv", lambda x, y: True,
     "of floats: 1.12 has no kernel, its optimizer divides"),
    ("tf.igamma", lambda x, y: bool((np.isnan(y) | np.isclose(x, y)).all()),
     "its slope by x at 0 is nan where a is 1"),
    ("tf.as_string", lambda x, y: x.dtype == object,
     "the last digit of a number that is rounded otherwise"),
]  # fmt: skip


def records(python, sources, folder):
    """(eager Record, graph Record) of each program under TensorFlow 1.12.

    Where TensorFlow crashes there is None, and the next program runs in a new process.
    """
    inputs, outputs = folder / "sources.json", folder / "records.pickle"
    inputs.write_text(json.dumps(sources))
    done = []
    while len(done) < len(sources):
        outputs.write_bytes(b"")
        command = [python, programs_run.__file__, inputs, outputs, str(len(done))]
        # It would look for modules beside the file first.
        settings = {
            **os.environ,
            "TF_CPP_MIN_LOG_LEVEL": "3",
            "PYTHONWARNINGS": "ignore",
        }
        subprocess.run(command, env=settings, capture_output=True, timeout=3600)
        done += _read(outputs)
        if len(done) < len(sources):
            done.append(None)
    return done


def _read(path):
    pairs = []
    with path.open("rb") as f:
        while True:
            try:
                pairs.append([programs_run.from_plain(r) for r in pickle.load(f)])
            except (EOFError, pickle.UnpicklingError):
                return pairs


def differences(source, theirs):
    """(mode, what differs, why or None) where twinflow and TensorFlow disagree."""
    with ways.interpreted():
        with ways.eager():
            eager = programs_run.eager(tf, source)
        graph = programs_run.graph(tf, source, vague=True)
    limits = programs_check.rounding(source, eager) if eager.arrays else None
    for mode, a, b in zip(("eager", "graph"), (eager, graph), theirs, strict=True):
        what = _difference(source, a, b, limits)
        if what:
            yield (
                mode,
                f"here {_said(a)} | there {_said(b)} | {what}",
                _why(source, a, b, limits),
            )


def _difference(source, a, b, limits):
    if a.error or b.error:
        return "" if a.error == b.error else "classes"
    try:
        programs_check.compare(source, a, b, "", limits)
    except programs_check.Disagreement as found:
        return found.label
    return ""


def _said(record):
    return f"{record.error} {record.text}" if record.error else "None"


def _why(source, a, b, limits):
    """The reason of a difference, or None."""
    if not (a.error or b.error):
        return _why_values(source, a, b, limits)
    for ours, theirs, reason in EXPLAINED:
        if re.match(ours, _said(a)) and re.match(theirs, _said(b)):
            return reason
    return None


def _why_values(source, a, b, limits):
    """The reason why values differ, if there is one for each of them."""
    reasons = []
    for x, y, limit in zip(a.arrays, b.arrays, limits, strict=True):
        if x.dtype != y.dtype or x.shape != y.shape:
            return None
        if not programs_check.near(x, y, limit):
            known = (f"{k}: {w}" for k, may, w in VALUES if k in source and may(x, y))
            reasons.append(next(known, None))
    return None if None in reasons else " and ".join(sorted(set(reasons)))
