"""A model through onnxruntime, and through a file and back, beside our own."""

import numpy as np
import pytest

import twinflow as tf

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
    found = tf.onnx.load(path)(*arrays)
    pairs = zip(tf.contrib.framework.nest.flatten(want), _flat(found), strict=True)
    for a, b in pairs:
        a, b = np.asarray(a), np.asarray(b)
        largest = np.max(np.abs(a), initial=1)
        np.testing.assert_allclose(b, a, 1e-4, 1e-5 * largest)
    return path


def _flat(found):
    return found if isinstance(found, list) else [found]
