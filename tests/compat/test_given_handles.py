"""Ops that are called with a handle: the variable holds what they read and write."""

import pytest

import twinflow as tf
from tests.ways import eager
from twinflow.compat.door import generated

ONE = [1.0]
_rows = dict.fromkeys(
    [f"scatter_{k}" for k in ("add", "sub", "mul", "div", "min", "max", "update")],
    lambda op, h: op(h, [0], ONE),
)
CALLS = {  # what takes the int32[1] for floats, or for int64
    "ops.gen_resource_variable_ops": {
        "read_variable_op": lambda op, h: op(h, tf.float32),
        "assign_variable_op": lambda op, h: op(h, ONE),
        "assign_add_variable_op": lambda op, h: op(h, ONE),
        "assign_sub_variable_op": lambda op, h: op(h, ONE),
        "resource_gather": lambda op, h: op(h, [0], tf.float32),
        **{f"resource_{k}": call for k, call in _rows.items()},
    },
    "ops.gen_state_ops": {
        "resource_scatter_nd_update": lambda op, h: op(h, [[0]], ONE),
        "resource_scatter_nd_add": lambda op, h: op(h, [[0]], ONE),
        "resource_count_up_to": lambda op, h: op(h, 3, tf.int64),
    },
    "ops.gen_array_ops": {
        "resource_strided_slice_assign": lambda op, h: op(h, [0], [1], [1], ONE),
    },
    "training.gen_training_ops": {
        "resource_apply_gradient_descent": lambda op, h: op(h, 1.0, ONE),
        "resource_apply_momentum": lambda op, h: op(h, h, 1.0, ONE, 1.0),
        "resource_apply_adam": lambda op, h: op(h, h, h, *[1.0] * 6, ONE),
    },
}


def function(name, module="ops.gen_resource_variable_ops"):
    return generated.function(f"python.{module}", name)


def handle(value, shape=(1,)):
    made = function("var_handle_op")(tf.int32, list(shape))
    return made, function("assign_variable_op")(made, value)


@pytest.mark.parametrize("module, name", [(m, n) for m in CALLS for n in CALLS[m]])
def test_another_dtype_is_refused_in_both_modes(module, name):
    call, op = CALLS[module][name], function(name, module)
    with tf.Graph().as_default():
        given = handle([3])[0]
        with pytest.raises(ValueError, match="with wrong dtype"):
            call(op, given)
    with eager():
        given = handle([3])[0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="with wrong dtype"):
            call(op, given)
        assert function("read_variable_op")(given, tf.int32).numpy().tolist() == [3]


def test_the_dtype_of_a_python_number_is_its_own():
    with eager():
        given = handle([3])[0]
        read = function("read_variable_op")(given, tf.int32)
        assert read.dtype is tf.int32
        with pytest.raises(tf.errors.InvalidArgumentError) as error:
            function("assign_variable_op")(given, [1.5])
        assert "Expected int32 got float [Op:AssignVariableOp]" in str(error.value)
        with pytest.raises(tf.errors.InvalidArgumentError) as error:
            function("read_variable_op")(given, tf.float32)
        assert "Expected float got int32 [Op:ReadVariableOp]" in str(error.value)


def test_a_graph_keeps_the_shape_and_an_eager_handle_takes_any():
    with tf.Graph().as_default(), tf.Session() as session:
        given, first = handle([3])
        for value, text in (([1, 2], "must be equal, but are 1 and 2"), (1, "1 and 0")):
            with pytest.raises(ValueError, match=text):
                function("assign_variable_op")(given, value)
        session.run(first)
        read = function("read_variable_op")(given, tf.int32)
        assert session.run(read).tolist() == [3]
    with eager():
        given = handle([3])[0]
        function("assign_variable_op")(given, 7)
        assert function("read_variable_op")(given, tf.int32).numpy() == 7


def test_a_copy_on_another_device_is_beside_nothing():
    with tf.Graph().as_default():
        v = tf.Variable(2.0, use_resource=True, caching_device="/job:local")
        with tf.colocate_with(v.op):
            w = tf.Variable(2.0, use_resource=True, caching_device="/job:local")
        for t in (v.value(), w.value()):
            assert t.device == "/job:local"
            with pytest.raises(ValueError, match="_class"):
                t.op.get_attr("_class")
