"""A model through onnxruntime, and through a file and back, beside our own."""

import numpy as np
import pytest

import twinflow as tf
from tests.interchange.layer_cases import close

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")


def both_ways(what, arrays, folder, signature=None, want=None, **options):
    """Export `what`, compare onnxruntime with us on `arrays`, and so what is read.

    Args:
        want: our own results, if they are not to be computed by calling `what`.
    """
    path = str(folder / "model.onnx")
    tf.onnx.export(what, path, signature, check_inputs=arrays, **options)
    if want is None:
        want = what(*[tf.constant(a) for a in arrays])
    want = tf.contrib.framework.nest.flatten(want)
    for found in (in_runtime(path, arrays), _flat(tf.onnx.load(path)(*arrays))):
        for a, b in zip(want, found, strict=True):
            close(b, a)
    return path


def in_runtime(path, arrays):
    """What onnxruntime gives for a file."""
    import onnxruntime

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    names = [i.name for i in session.get_inputs()]
    given = {n: np.asarray(a) for n, a in zip(names, arrays, strict=True)}
    return session.run(None, given)


def _flat(found):
    return found if isinstance(found, list) else [found]
