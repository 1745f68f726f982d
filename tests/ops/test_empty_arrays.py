"""Every op without elements: what eager mode takes, graphs, gradients and XLA take.

For each size that the inputs of a row have, every axis of that size loses its elements,
and the host inputs that name the size follow.
"""

import warnings

import numpy as np
import pytest

import twinflow as tf
from tests.support import fuzzing, op_checks
from tests.support.engine_checks import samples
from twinflow.base import dispatch
from twinflow.eager.mode import MODE

ROWS = fuzzing.grouped()
LABELS = sorted(ROWS)
REFUSED = {
    "GatherV2",  # from no rows: their gradients have no place
    "ImageProjectiveTransformV2",  # images without pixels, as in 1.12
    "LRNGrad",  # 1.12 has no such gradient; ours wants channels
    "RandomGamma",  # its slope takes no float16, as in 1.12
    "ResizeBicubicGrad", "ResizeBilinearGrad", "ResizeNearestNeighborGrad",
    # the gradient of the gradient resizes, which wants pixels, as in 1.12
    "matrix_solve_ls",  # without `fast`, as in 1.12
}  # fmt: skip


def _sizes(x):
    if isinstance(x, list):
        return {n for v in x for n in _sizes(v)}
    return set(x.shape) - {0} if fuzzing.is_array(x) else set()


def _without(x, size):
    if isinstance(x, list):
        return [_without(v, size) for v in x]
    if not fuzzing.is_array(x) or size not in x.shape:
        return x
    return np.zeros([0 if n == size else n for n in x.shape], x.dtype)


def _told(x, size):
    """Host values with 0 in the place of the size."""
    if isinstance(x, list | tuple) and not fuzzing.has_array(x):
        return type(x)(_told(v, size) for v in x)
    return 0 if isinstance(x, int | np.integer) and x == size else x


def _examples(label):
    for row in ROWS[label]:
        inputs = [fuzzing.arrays_of(x) for x in samples(row, row.dtypes[0])]
        picky = any(r.needs for r in ROWS[label])
        for size in sorted({n for x in inputs for n in _sizes(x)}):
            fewer = [_without(x, size) for x in inputs]
            told = [_told(x, size) for x in fewer]
            for some in [fewer] if repr(told) == repr(fewer) else [fewer, told]:
                yield fuzzing.Example(row, some, dict(row.attrs), picky)


def _differentiate(example):
    """Gradients have the shapes and dtypes of what they are for."""
    watched: list = []
    with dispatch.entered(MODE):
        with tf.GradientTape() as tape:
            inputs = fuzzing.tensors_of(example.inputs, watched)
            watched = [x for x in watched if _is_smooth(x)]
            tape.watch(watched)
            outputs = op_checks.call(example.row, inputs, fuzzing.attrs_of(example))
        outputs = [y for y in outputs if _is_smooth(y)]
        if not watched or not outputs:
            return
        try:
            found = tape.gradient(outputs, watched)
        except (LookupError, NotImplementedError) as error:
            assert type(error) in (LookupError, NotImplementedError), example
            return
        for x, d in zip(watched, found, strict=True):
            assert d is None or d.dtype is x.dtype, example
            assert d is None or tf.convert_to_tensor(d).shape == x.shape, example


def _is_smooth(x):
    return x.dtype.is_floating or x.dtype.is_complex


@pytest.mark.parametrize("label", LABELS)
def test_every_way_takes_what_eager_mode_takes(label):
    compiles = LABELS.index(label) % 10 == 0
    for example in _examples(label):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # means of nothing
            try:
                refused = fuzzing.eager(example).error is not None
            except NotImplementedError:
                assert label in fuzzing.UNBUILT, example
                continue
            if refused:
                continue
            fuzzing.check(example, "all", compiles)
            if label not in REFUSED:
                _differentiate(example)
        compiles = False
