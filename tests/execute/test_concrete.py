"""Functions for arguments of certain dtypes and shapes."""

import pytest

import twinflow as tf
from twinflow.base import dispatch
from twinflow.compat.door.functions import defun_with_attributes, register
from twinflow.contrib import eager as tfe
from twinflow.eager.mode import MODE


def test_call():
    with dispatch.entered(MODE):
        v = tfe.Variable(2.0)
        f = tfe.defun(lambda x: {"a": x * v}).get_concrete_function(tf.constant(1.0))
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)["a"]
        assert [float(t) for t in (y, *tape.gradient(y, [x, v]))] == [6.0, 2.0, 3.0]
        assert f.output_dtypes == {"a": tf.float32} and len(f.inputs) == 2
        with pytest.raises(ValueError, match=r"the 0-th input .3. was not a Tensor"):
            f(3)


def test_register():
    with tf.Graph().as_default() as graph:
        x = tf.ones([2, 2])
        f = defun_with_attributes(tf.matmul, attributes={"experimental_a": 3})
        register(f, x, x)
        functions = list(graph.as_graph_def().library.function)
    kinds = ["__inference_matmul", "__forward_matmul", "__inference___backward_matmul"]
    for found, kind in zip(functions, kinds, strict=True):
        assert found.signature.name.startswith(kind)
        assert found.attr["experimental_a"].i == 3
    name = functions[2].signature.name.encode()
    assert functions[1].attr["backward_function_name"].s == name
    with pytest.raises(ValueError, match="Only defun function is allowed"):
        register(tf.matmul, x, x)
    with pytest.raises(ValueError, match="Attribute name is not whitelisted"):
        defun_with_attributes(tf.matmul, attributes={"other": 3})
