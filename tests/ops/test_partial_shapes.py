"""Every row in graphs with unknown dimensions and ranks, fed with two sizes."""

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from tests.support import op_cases  # noqa: F401 - loads the rows
from tests.support import partial_checks as checks
from tests.support.engine_checks import samples
from tests.support.op_cases.table import CASES


@pytest.mark.parametrize("unknown", [checks.DIMENSIONS, checks.RANK])
@pytest.mark.parametrize("row", CASES, ids=str)
def test_a_graph_runs_with_two_sizes(row, unknown):
    with ways.interpreted():
        checks.check_partial(row, unknown)


@pytest.mark.parametrize("row", [*filter(checks.has_hosts, CASES)], ids=str)
def test_host_inputs_are_fed(row):
    with ways.interpreted():
        checks.check_partial(row, checks.HOSTS)


def test_most_rows_have_a_second_size(record_property):
    alone = []
    for row in CASES:
        first = samples(row, row.dtypes[0])
        if checks.resizable(first) and not checks.second_sample(row, first):
            alone.append(row.name)
    record_property(
        "summary",
        f"{len(CASES) - len(alone)} of {len(CASES)} rows ran in graphs with two sizes, "
        f"or have no size; one size has {', '.join(alone)}",
    )
    assert len(alone) < 0.1 * len(CASES)


def test_a_size_that_was_built_in_is_found():
    """A function that takes its first input's size for all."""
    row = next(r for r in CASES if r.name == "Tanh-0")
    first = samples(row, "float32")
    graph = checks.PartialGraph(row, first, checks.DIMENSIONS)
    with graph.graph.as_default():
        graph.ys = [y[: first[0]._shape[0]] for y in graph.ys]
    checks.compare(row, graph, first)
    with pytest.raises(AssertionError, match="Tanh-0"):
        checks.compare(row, graph, checks.second_sample(row, first))


def test_axes_whose_paddings_are_known_keep_their_sizes(graph):
    """Of the other axes nothing is known, nor of more where all is in one tensor."""
    n, pair = tf.placeholder(tf.int32, []), tf.placeholder(tf.int32)
    x = tf.placeholder(tf.float32, [None, 4, 20])
    for paddings, sizes in (
        ([[0, 0], [0, n], [0, 0]], [None, None, 20]),
        ([[1, 1], [tf.constant(1), 2], pair], [None, 7, None]),
        ([[n, 0], tf.constant([1, 1]), [2, 0]], [None, 6, 22]),
        (tf.stack([[0, 0], [n, n], [0, 1]]), [None, None, 21]),
        (tf.placeholder(tf.int32, [3, 2]), [None] * 3),
    ):
        for mode in "CONSTANT", "REFLECT":
            assert tf.pad(x, paddings, mode).shape.as_list() == sizes
        found = tf.pad(tf.placeholder(tf.float32), paddings, constant_values=1.0)
        assert found.shape.as_list() == [None] * 3


def test_a_padded_sequence_has_a_dense_layer(graph):
    x = tf.placeholder(tf.float32, [None, None, 3])
    longer = tf.pad(x, [[0, 0], [0, 9 - tf.shape(x)[1]], [0, 0]])
    y = tf.layers.dense(longer, 2, kernel_initializer=tf.ones_initializer())
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        found = sess.run(y, {x: np.ones([1, 2, 3])})
    assert found[0, :, 0].tolist() == [3.0] * 2 + [0.0] * 7
