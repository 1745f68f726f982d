"""tensorflow.python.tools.inspect_checkpoint prints what TensorFlow's does."""

import argparse

import numpy as np
import pytest

import twinflow as tf
from twinflow.compat import inspect_checkpoint


@pytest.fixture
def path(tmp_path):
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.get_variable("a", initializer=np.arange(3, dtype=np.float32))
        tf.get_variable("scope/b", initializer=1)
        sess.run(tf.global_variables_initializer())
        return tf.train.Saver().save(sess, str(tmp_path / "model"))


def test_what_is_printed(path, capsys):
    show = inspect_checkpoint.print_tensors_in_checkpoint_file
    show(path, "", all_tensors=True)
    assert capsys.readouterr().out == (
        "tensor_name:  a\n[0. 1. 2.]\ntensor_name:  scope/b\n1\n"
    )
    show(path, "", all_tensors=False, all_tensor_names=True)
    assert capsys.readouterr().out == "tensor_name:  a\ntensor_name:  scope/b\n"
    show(path, "", all_tensors=False)
    assert capsys.readouterr().out == "a (DT_FLOAT) [3]\nscope/b (DT_INT32) []\n\n"
    show(path, "c", all_tensors=False)
    assert capsys.readouterr().out == (
        "tensor_name:  c\nKey c not found in checkpoint\n"
    )
    show(f"{path}.data-00000-of-00001", "", all_tensors=True)
    assert f"inspect checkpoint --file_name = {path}" in capsys.readouterr().out


def test_print_options():
    with np.printoptions():
        inspect_checkpoint.parse_numpy_printoption("precision=3")
        assert np.get_printoptions()["precision"] == 3
        with pytest.raises(argparse.ArgumentTypeError, match="not a valid printopt"):
            inspect_checkpoint.parse_numpy_printoption("colour=3")
