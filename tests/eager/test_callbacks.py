"""Execution callbacks, seterr, and how eager mode is set up."""

import functools

import numpy as np
import pytest

import twinflow as tf
from twinflow.contrib import eager as tfe


@pytest.fixture(autouse=True)
def no_callbacks():
    """No callback outlives a test."""
    yield
    tfe.seterr(inf_or_nan="ignore")
    tfe.clear_execution_callbacks()


def test_callbacks_see_every_op(eager):
    seen = []
    tfe.add_execution_callback(lambda *call: seen.append(call))
    x = tf.constant([1.0, 2.0])
    y = x + x
    v = tfe.Variable(3.0)
    tf.matmul([[1.0]], [[2.0]], name="mm")
    _ = v * 2.0
    tfe.clear_execution_callbacks()
    _ = x * x
    kinds = [call[0] for call in seen]
    assert kinds == ["Add", "MatMul", "ReadVariableOp", "Mul"]
    _, inputs, attrs, outputs, name = seen[0]
    assert inputs[0] is x and inputs[1] is x
    assert outputs[0] is y
    assert attrs == ("T", tf.float32)
    assert name == "add"
    assert seen[1][2][:4] == ("transpose_a", False, "transpose_b", False)


def test_infinities_and_nans_raise(eager):
    assert tfe.seterr(inf_or_nan="raise") == {"inf_or_nan": "ignore"}
    with pytest.raises(tfe.InfOrNanError) as raised:
        tf.log([0.0, -1.0], name="l")
    error = raised.value
    assert (error.op_type, error.output_index, error.num_outputs) == ("Log", 0, 1)
    assert str(error) == (
        "Output 1 of 1 of TFE operation Log (name: l) contains 1 inf(s) and 1 nan(s) "
        "out of a total of 2 element(s). Tensor value: [-inf  nan]"
    )
    assert tfe.seterr() == {"inf_or_nan": "raise"}
    assert tf.log([1.0]).numpy() == 0


def test_calls_without_a_name_have_none(eager):
    names = []
    tfe.add_execution_callback(lambda *call: names.append(call[-1]))
    tf.log(1.0)
    tf.log(1.0, name="l")
    assert names == [None, "l"]


def test_the_other_actions(eager, capsys, caplog):
    tfe.seterr(inf_or_nan="print")
    tf.log(0.0)
    assert capsys.readouterr().out.startswith("Warning: Output 1 of 1 of TFE")
    tfe.seterr(inf_or_nan="ignore")
    assert np.isinf(tf.log(0.0).numpy())
    with pytest.raises(ValueError, match="Invalid action value for inf_or_nan: foo"):
        tfe.seterr(inf_or_nan="foo")


def test_one_kind_alone(eager):
    tfe.add_execution_callback(tfe.nan_callback)
    assert np.isinf(tf.log(0.0).numpy())
    with pytest.raises(tfe.InfOrNanError, match="1 nan"):
        tf.log(-1.0)
    tfe.clear_execution_callbacks()
    tfe.add_execution_callback(functools.partial(tfe.inf_callback, action="raise"))
    assert np.isnan(tf.log(-1.0).numpy())
    with pytest.raises(tfe.InfOrNanError, match="1 inf"):
        tf.log(0.0)


def test_execution_modes_are_accepted(eager):
    with tfe.execution_mode(tfe.ASYNC):
        assert float(tf.constant(1.0) + 1.0) == 2
    tfe.set_execution_mode(tfe.SYNC)
    tfe.async_wait()
    tfe.async_clear_error()
    with pytest.raises(ValueError, match="execution_mode must be one of None"):
        tfe.set_execution_mode(7)
    with pytest.raises(tf.errors.UnimplementedError, match="in this process"):
        tfe.connect_to_remote_host("localhost:1")


def test_arguments_of_enable_eager_execution(eager):
    with pytest.raises(TypeError, match=r"config must be a tf\.ConfigProto, but"):
        tf.enable_eager_execution(config=3)
    with pytest.raises(ValueError, match="device_policy must be one of None"):
        tf.enable_eager_execution(device_policy=9)
    tf.enable_eager_execution(device_policy=tfe.DEVICE_PLACEMENT_SILENT)


def test_tensor_specs(eager):
    spec = tfe.TensorSpec([None, 2], tf.float32)
    assert repr(spec) == "TensorSpec(shape=(?, 2), dtype=tf.float32, name=None)"
    assert spec == tfe.TensorSpec([None, 2], tf.float32, name="a")
    assert hash(spec) == hash(tfe.TensorSpec([None, 2], tf.float32))
    assert spec.is_compatible_with(tf.zeros([5, 2]))
    assert not spec.is_compatible_with(tf.zeros([5, 3]))
    assert not spec.is_compatible_with(tf.zeros([5, 2], tf.int32))
    assert tfe.TensorSpec.from_spec(spec, name="q").name == "q"
    assert tfe.TensorSpec.from_tensor(tf.zeros([3])).shape == [3]
