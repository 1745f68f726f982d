"""Optimizers against TensorFlow 1.12: numbers, names and errors, in all modes."""

import copy

import numpy as np
import pytest

from tests.modes import both, close, eagerly
from twinflow.execute.function import defun
from twinflow.execute.session import Session
from twinflow.graph.graph import Graph
from twinflow.ops.arrays.placeholder import placeholder
from twinflow.ops.core.constant import constant
from twinflow.ops.core.elementwise import square
from twinflow.ops.core.reduction import reduce_sum
from twinflow.ops.variables.collections import global_variables_initializer
from twinflow.ops.variables.resource import ResourceVariable as Variable
from twinflow.train import (
    AdamOptimizer,
    GradientDescentOptimizer,
    MomentumOptimizer,
    Optimizer,
    get_or_create_global_step,
)

# Three steps with lr 0.1 and gradients [0.1, 0.2], [0.3] from [1, 2], [3].
THREE_STEPS = [
    (lambda: GradientDescentOptimizer(0.1), [0.97, 1.94], [2.91]),
    (lambda: MomentumOptimizer(0.1, 0.9), [0.9439, 1.8878], [2.8317]),
    (
        lambda: MomentumOptimizer(0.1, 0.9, use_nesterov=True),
        [0.91951, 1.83902], [2.7585301],
    ),
    (lambda: AdamOptimizer(0.1), [0.7000018, 1.7000014], [2.7000012]),
]  # fmt: skip
cases = pytest.mark.parametrize(("make", "v_end", "w_end"), THREE_STEPS)


def two_variables():
    return Variable([1.0, 2.0]), Variable([3.0], name="w")


def gradients_of(v, w):
    return [(constant([0.1, 0.2]), v), (constant([0.3]), w)]


@cases
def test_three_steps_eagerly(eager, make, v_end, w_end):
    v, w = two_variables()
    optimizer, step = make(), get_or_create_global_step()
    for _ in range(3):
        assert optimizer.apply_gradients(gradients_of(v, w), global_step=step) is None
    close(v.numpy(), v_end)
    close(w.numpy(), w_end)
    assert step.numpy() == 3


@cases
def test_three_steps_in_a_graph(graph, make, v_end, w_end):
    v, w = two_variables()
    step = get_or_create_global_step()
    optimizer = make()
    train = optimizer.apply_gradients(gradients_of(v, w), global_step=step)
    assert train.name == optimizer.get_name()
    assert graph.get_collection("train_op") == [train]
    with Session() as session:
        session.run(global_variables_initializer())
        for _ in range(3):
            assert session.run(train) is None
        found = session.run([v, w, step])
    close(found[0], v_end)
    close(found[1], w_end)
    assert found[2] == 3


@cases
def test_three_steps_in_a_function(eager, make, v_end, w_end):
    v, w = two_variables()
    optimizer = make()

    @defun
    def step(a, b):
        optimizer.apply_gradients([(a, v), (b, w)])

    for _ in range(3):
        step(constant([0.1, 0.2]), constant([0.3]))
    close(v.numpy(), v_end)
    close(w.numpy(), w_end)


@cases
def test_scalars_take_the_same_steps(eager, make, v_end, w_end):
    s, optimizer = Variable(1.0), make()
    for _ in range(3):
        optimizer.apply_gradients([(constant(0.1), s)])
    close(s.numpy(), v_end[0])


HUNDRED = [  # 100 steps on v * v + sum((w - 0.3) ** 2) from 5.2 and linspace(-1, 1, 6)
    (
        lambda: AdamOptimizer(0.1), -0.024070684,
        [0.30354702, 0.29622668, 0.30224636, 0.30014944, 0.3013044, 0.29801306],
    ),
    (
        lambda: AdamOptimizer(0.01, 0.8, 0.99, 1e-4), 4.2371845,
        [-0.17409503, 0.1304427, 0.29445016, 0.29999974, 0.300025, 0.36026445],
    ),
    (
        lambda: MomentumOptimizer(0.1, 0.9), -0.014827327,
        [0.30370682, 0.3025663, 0.30142573, 0.30028513, 0.2991446, 0.298004],
    ),
    (lambda: GradientDescentOptimizer(0.1), 1.0592588e-09, None),
]  # fmt: skip


@pytest.mark.parametrize(("make", "v_end", "w_end"), HUNDRED)
def test_a_hundred_steps_agree_to_four_ulps(eager, make, v_end, w_end):
    v, w = Variable(5.2), Variable(np.linspace(-1, 1, 6).astype(np.float32))
    optimizer = make()
    for _ in range(100):
        optimizer.minimize(lambda: v * v + reduce_sum(square(w - 0.3)))
    close(v.numpy(), v_end)
    if w_end is not None:
        close(w.numpy(), w_end)


def test_adam_on_a_square_in_a_graph(graph):
    v = Variable([5.2])
    train = AdamOptimizer(0.1).minimize(v * v)
    with Session() as session:
        session.run(global_variables_initializer())
        for _ in range(100):
            session.run(train)
        close(session.run(v), [-0.02407068])


def slot_names():
    v, w = two_variables()
    made = []
    for optimizer in (MomentumOptimizer(0.1, 0.9), AdamOptimizer(0.1)):
        optimizer.apply_gradients(gradients_of(v, w))
        made.append([x.name for x in optimizer.variables()])
        made.append(optimizer.get_slot_names())
    second = MomentumOptimizer(0.1, 0.9)
    second.apply_gradients(gradients_of(v, w))
    made.append([x.name for x in second.variables()])
    return made


def test_slots_have_the_same_names_in_both_modes():
    wanted = [
        ["Variable/Momentum:0", "w/Momentum:0"],
        ["momentum"],
        [
            "Variable/Adam:0", "Variable/Adam_1:0", "beta1_power:0", "beta2_power:0",
            "w/Adam:0", "w/Adam_1:0",
        ],
        ["m", "v"],
        ["Variable/Momentum_1:0", "w/Momentum_1:0"],
    ]  # fmt: skip
    found = []
    eagerly(lambda: (found.append(slot_names()), constant(0.0))[1])
    with Graph().as_default():
        found.append(slot_names())
    assert found == [wanted, wanted]


def test_get_slot(eager):
    v, w = two_variables()
    optimizer = MomentumOptimizer(0.1, 0.9)
    optimizer.apply_gradients(gradients_of(v, w)[:1])
    close(optimizer.get_slot(v, "momentum").numpy(), [0.1, 0.2])
    assert not optimizer.get_slot(v, "momentum").trainable
    assert optimizer.get_slot(w, "momentum") is None
    assert optimizer.get_slot(v, "other") is None


def test_nodes_are_named_as_in_tensorflow(graph):
    v = Variable([1.0, 2.0])
    step = get_or_create_global_step()
    AdamOptimizer(0.1).apply_gradients([(constant([0.1, 0.2]), v)], global_step=step)
    names = [n.name for n in graph.get_operations()]
    for name in (
        "Adam/learning_rate", "Adam/beta1", "Adam/beta2", "Adam/epsilon",
        "Adam/update_Variable/ResourceApplyAdam", "Adam/mul", "Adam/Assign",
        "Adam/mul_1", "Adam/Assign_1", "Adam/update", "Adam/value", "Adam",
    ):  # fmt: skip
        assert name in names
    node = graph.get_operation_by_name("Adam/update_Variable/ResourceApplyAdam")
    assert [t.op.name for t in node.inputs[:3]] == [
        "Variable", "Variable/Adam", "Variable/Adam_1",
    ]  # fmt: skip


def test_learning_rate_may_be_a_tensor_a_function_or_a_variable(eager):
    rate = Variable(0.1, trainable=False)
    for learning_rate in (constant(0.1), lambda: 0.1, rate, np.float64(0.1)):
        v = Variable([1.0, 2.0])
        GradientDescentOptimizer(learning_rate).apply_gradients(
            [(constant([0.1, 0.2]), v)]
        )
        close(v.numpy(), [0.99, 1.98])
    rate.assign(0.0)


def test_double_variables_keep_their_dtype(eager):
    v = Variable(np.array([1.0, 2.0]))
    optimizer = AdamOptimizer(0.1)
    optimizer.apply_gradients([(constant(np.array([0.1, 0.2])), v)])
    assert v.numpy().dtype == np.float64
    assert optimizer.get_slot(v, "m").numpy().dtype == np.float64


@both
def test_minimize_of_a_function(run):
    def build():
        v, w = Variable(2.0), Variable(3.0)
        pairs = GradientDescentOptimizer(0.1).compute_gradients(lambda: v * v * w)
        assert [x for _, x in pairs] == [v, w]
        return [g for g, _ in pairs]

    np.testing.assert_allclose(run(build), [12.0, 4.0])


def test_minimize_of_a_tensor_trains_all_trainable_variables(graph):
    v, w = Variable([2.0], name="v"), Variable([3.0], trainable=False)
    x = placeholder("float32", [1])
    train = GradientDescentOptimizer(0.5).minimize(reduce_sum(v * w * x))
    with Session() as session:
        session.run(global_variables_initializer())
        session.run(train, {x: [2.0]})
        assert session.run([v, w]) == [np.float32([-1.0]), np.float32([3.0])]


def test_none_gradients_are_skipped(eager):
    v, w = two_variables()
    GradientDescentOptimizer(0.1).apply_gradients([(None, v), (constant([1.0]), w)])
    np.testing.assert_allclose(w.numpy(), [2.9])
    np.testing.assert_allclose(v.numpy(), [1.0, 2.0])


@both
def test_constraints_are_applied(run):
    def build():
        v = Variable([1.0, -2.0], constraint=lambda x: x * 0.0)
        train = GradientDescentOptimizer(0.1).apply_gradients(
            [(constant([1.0, 1.0]), v)]
        )
        if train is None:
            return v
        with train.graph.control_dependencies([train]):
            return v.read_value()

    # In the graph the variable is initialised and trained in two runs.
    if run is eagerly:
        assert run(build).tolist() == [0.0, 0.0]
        return
    with Graph().as_default(), Session() as session:
        value = build()
        session.run(global_variables_initializer())
        assert session.run(value).tolist() == [0.0, 0.0]


def test_a_value_taken_before_a_step_stays(eager):
    v = Variable([1.0, 2.0])
    before = v.read_value()
    held = v.value()
    AdamOptimizer(0.1).apply_gradients([(constant([1.0, 1.0]), v)])
    assert before.numpy().tolist() == held.numpy().tolist() == [1.0, 2.0]


def test_optimizers_are_copied_with_their_slots(eager):
    v = Variable([1.0, 2.0])
    optimizer = MomentumOptimizer(0.1, 0.9)
    optimizer.apply_gradients([(constant([1.0, 1.0]), v)])
    twin, w = copy.deepcopy((optimizer, v))
    for o, x in ((optimizer, v), (twin, w)):
        o.apply_gradients([(constant([1.0, 1.0]), x)])
    assert v.numpy().tolist() == w.numpy().tolist()


def test_a_subclass_defines_one_update(eager):
    class Signs(Optimizer):
        """w <- w - sign(dw)."""

        def __init__(self):
            super().__init__(False, "Signs")

        def _resource_apply_dense(self, grad, var):
            return var.assign_sub(grad / abs(grad))

    v = Variable([1.0, 2.0])
    Signs().minimize(lambda: reduce_sum(v * v))
    assert v.numpy().tolist() == [0.0, 1.0]


# ------------------------------------------------------------------ errors
def test_errors_of_apply_gradients(eager):
    v, optimizer = Variable([1.0, 2.0]), GradientDescentOptimizer(0.1)
    with pytest.raises(ValueError, match="No variables provided"):
        optimizer.apply_gradients([])
    with pytest.raises(
        ValueError, match=r"No gradients provided for any variable: \[\"<tf.Variable"
    ):
        optimizer.apply_gradients([(None, v)])
    with pytest.raises(TypeError, match="Expected a variable to update, got 3"):
        optimizer.apply_gradients([(constant(1.0), 3)])
    with pytest.raises(ValueError, match=r"Invalid type .*int32"):
        optimizer.apply_gradients([(constant([1, 2]), Variable([1, 2]))])
    with pytest.raises(ValueError, match="Must specify the optimizer name"):
        GradientDescentOptimizer(0.1, name="")


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: GradientDescentOptimizer(0.1), "delta"),
        (lambda: MomentumOptimizer(0.1, 0.9), "grad"),
        (lambda: AdamOptimizer(0.1), "grad"),
    ],
)
def test_gradients_of_another_shape(eager, make, what):
    v = Variable([1.0, 2.0])
    with pytest.raises(
        Exception, match=rf"var and {what} do not have the same shape\[2\] \[3\]"
    ):
        make().apply_gradients([(constant([1.0, 2.0, 3.0]), v)])
    assert v.numpy().tolist() == [1.0, 2.0]


def test_gradients_of_another_shape_in_a_graph(graph):
    v = Variable([1.0, 2.0])
    with pytest.raises(
        ValueError,
        match=r"Dimension 0 in both shapes must be equal, but are 2 and 3. Shapes are "
        r"\[2\] and \[3\]. for 'GradientDescent/update_Variable/"
        r"ResourceApplyGradientDescent' .* with input shapes: \[\], \[\], \[3\].",
    ):
        GradientDescentOptimizer(0.1).apply_gradients([(constant([1.0, 2.0, 3.0]), v)])


@both
def test_tensors_are_not_updated(run):
    def build():
        x = constant(1.0)
        opt = GradientDescentOptimizer(0.1)
        ((slope, found),) = opt.compute_gradients(lambda: x * x, [x])
        assert found is x
        with pytest.raises(NotImplementedError, match="Trying to update a Tensor"):
            opt.apply_gradients([(slope, x)])
        return slope

    assert run(build) == 2.0


def test_eager_losses_must_be_functions(eager):
    text = (
        "`loss` passed to Optimizer.compute_gradients should be a function when eager "
        "execution is enabled."
    )
    with pytest.raises(RuntimeError, match=text):
        AdamOptimizer().compute_gradients(constant(1.0))


@both
def test_minimize_without_gradients(run):
    def build():
        v, w = Variable(1.0), Variable(2.0)
        with pytest.raises(
            ValueError, match="No gradients provided for any variable, c"
        ):
            AdamOptimizer().minimize(lambda: v * v, var_list=[w])
        return constant(0.0)

    run(build)


def test_gate_gradients_is_checked(graph):
    v = Variable(1.0)
    with pytest.raises(ValueError, match=r"gate_gradients must be one of.*Not 5"):
        AdamOptimizer().compute_gradients(v * v, gate_gradients=5)
    with pytest.raises(ValueError, match="No variables to optimize"):
        AdamOptimizer().compute_gradients(v * v, var_list=[])
