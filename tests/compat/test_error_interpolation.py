"""Where the nodes of a text come from, in the words of 1.12."""

import twinflow as tf
from twinflow.compat.door.error_interpolation import interpolate


def test_blocks():
    with tf.Graph().as_default() as graph:
        tf.constant(0.0, name="zero")
        with tf.device("/cpu"), tf.device("/cpu:0"):
            tf.constant(1.0, name="one")
        with graph.colocate_with(graph.get_operation_by_name("zero")):
            tf.constant(2.0, name="two")
    text = interpolate("{{node zero}}, {{node none}} {{colocation_node one}}", graph)
    assert text.startswith("node zero (defined at ") and "{{node none}}" in text
    assert text.count(f"with tf.device(/cpu:0): <{__file__}:") == 2
    text = interpolate("{{colocation_node two}}", graph)
    assert f"with tf.colocate_with(zero): <{__file__}:" in text
    assert "No device assignments were active during op 'two' creation." in text
