"""tf.contrib.receptive_field: sizes, strides and paddings of TensorFlow 1.12."""

import pytest

import twinflow as tf

slim = tf.contrib.slim
field_of = tf.contrib.receptive_field.compute_receptive_field_from_graph_def


def _network(padding="VALID", stride=4):
    with tf.Graph().as_default() as g:
        x = tf.placeholder(tf.float32, (None, None, None, 1), name="images")
        options = {"activation_fn": None, "padding": padding}
        a = slim.conv2d(x, 1, [3, 3], stride=2, scope="a", **options)
        a = slim.max_pool2d(a, [3, 3], stride=2, scope="pool", padding=padding)
        b = slim.conv2d(x, 1, [1, 1], stride=stride, scope="b", **options)
        tf.nn.relu(tf.concat([a, b], 3), name="output")
    return g


def test_fields_of_one_path():
    field = field_of(_network(), "images", "output", ["b/BiasAdd"])
    assert list(field) == [7, 7, 4, 4, 0, 0]
    found = field.compute_input_center_coordinates([[0, 1], [2, 3]])
    assert found.tolist() == [[3, 7], [11, 15]]
    assert field.compute_feature_coordinates([[3.0, 7.0]]).tolist() == [[0, 1]]
    with pytest.raises(ValueError, match="does not match dimensionality of `axis`"):
        field.compute_feature_coordinates([[1, 2]], axis=[0])


def test_paths_have_to_fit():
    with pytest.raises(ValueError, match="center shift"):
        field_of(_network(), "images", "output")
    with pytest.raises(ValueError, match="effective stride"):
        field_of(_network(stride=2), "images", "output")
    with pytest.raises(ValueError, match="Output node was not found"):
        field_of(_network(), "images", "nothing")


def test_unknown_sizes_leave_paddings_open():
    graph_def = _network("SAME").as_graph_def()
    assert list(field_of(graph_def, "images", "output")) == [7, 7, 4, 4, None, None]
    order, _ = tf.contrib.receptive_field.get_compute_order(
        graph_def, "images", [224, 224]
    )
    assert order["images"].order == 0
    assert order["pool/MaxPool"].output_size == [56, 56]
    assert order["output"].order > order["pool/MaxPool"].order
