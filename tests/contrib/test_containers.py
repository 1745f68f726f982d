"""tf.contrib.checkpoint.List, Mapping and UniqueNameTracker."""

import pytest

import twinflow as tf
from twinflow.contrib.checkpoint import List, Mapping, UniqueNameTracker


def test_containers_know_their_variables():
    with tf.Graph().as_default():
        cell = tf.nn.rnn_cell.GRUCell(2)
        cell(tf.zeros([1, 3]), tf.zeros([1, 2]))
        v = tf.contrib.eager.Variable(1.0, trainable=False)
        cells = List([cell])
        cells.append(v)
        assert cells[0] is cell and len(cells) == 2 and cells.layers == [cell]
        assert len(cells.trainable_weights) == 4 and cells.non_trainable_weights == [v]
        named = Mapping(a=cell, b=List([v]))
        assert len(named.variables) == 5 and named["b"][0] is v
        with pytest.raises(ValueError, match="append-only"):
            named["a"] = v
        with pytest.raises(TypeError, match="only string keys"):
            named[1] = v


def test_names_are_numbered():
    with tf.Graph().as_default():
        tracker = UniqueNameTracker()
        v, w = (tf.contrib.eager.Variable(1.0) for _ in range(2))
        assert tracker.track(v, "x") is v and tracker.track(w, "x") is w
        assert [name for name, _ in tracker._children()] == ["x", "x_1"]
        with pytest.raises(ValueError, match="Expected a checkpointable value"):
            tracker.track(3, "y")
