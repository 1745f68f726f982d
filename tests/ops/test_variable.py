"""Variables: assigning in every mode, who owns what, copies, names, errors."""

import copy
import pickle

import numpy as np
import pytest

import twinflow as tf
from tests.ways import WAYS, eager, run

tfe = tf.contrib.eager
ASSIGNS = [
    ("assign", [3.0, 5.0]),
    ("assign_add", [4.0, 7.0]),
    ("assign_sub", [-2.0, -3.0]),
]


@pytest.fixture
def now():
    with eager():
        yield


@pytest.fixture
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def variable(value=(1.0, 2.0), **kwargs):
    return tfe.Variable(np.asarray(value, np.float32), **kwargs)


def initialized():
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return session


# ------------------------------------------------------------ assigning
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("method, wanted", ASSIGNS)
def test_assigning_gives_the_new_value(method, wanted, way):
    def build():
        v = variable()
        return lambda x: tf.identity(getattr(v, method)(x))

    found = run(way, build, np.float32([3.0, 5.0]))
    assert found.tolist() == wanted


@pytest.mark.parametrize("way", WAYS)
def test_what_was_read_before_stays(way):
    def build():
        v = variable()

        def f(x):
            before = v.read_value()
            with tf.control_dependencies([before]):
                first = tf.identity(v.assign_add(x))
            with tf.control_dependencies([first]):
                second = tf.identity(v.assign_sub([10.0, 10.0]))
            with tf.control_dependencies([second]):
                return before, first, second, tf.identity(v.assign(before))

        return f

    found = run(way, build, np.float32([1.0, 1.0]), calls=3)
    assert [a.tolist() for a in found] == [
        [1.0, 2.0], [2.0, 3.0], [-8.0, -7.0], [1.0, 2.0],
    ]  # fmt: skip


def test_assigning_returns_the_variable_now(now):
    v = variable()
    assert v.assign([3.0, 4.0]) is v and v.assign_add([1.0, 1.0]) is v
    assert tf.assign_sub(v, [1.0, 1.0]) is v and v.numpy().tolist() == [3.0, 4.0]


def test_assigning_returns_a_value_or_a_node_later(graph):
    v = variable()
    value, node = v.assign([3.0, 4.0]), v.assign_add([1.0, 1.0], read_value=False)
    with initialized() as session:
        assert session.run(value).tolist() == [3.0, 4.0]
        assert session.run(node) is None and node.type == "AssignAddVariableOp"
        assert session.run(v).tolist() == [4.0, 5.0]


# ------------------------------------------------------------ ownership
@pytest.mark.parametrize("method, wanted", ASSIGNS)
def test_an_array_changed_after_it_was_assigned(now, method, wanted):
    v, array = variable(), np.float32([3.0, 5.0])
    getattr(v, method)(array)
    array[:] = 9.0
    assert v.numpy().tolist() == wanted
    start = np.float32([1.0, 2.0])
    w = tfe.Variable(start)
    start[:] = 9.0
    assert w.numpy().tolist() == [1.0, 2.0]


def test_what_was_fetched_is_the_users(now):
    v = variable()
    fetched = [v.numpy(), np.array(v), tf.identity(v).numpy()]
    for a in fetched:
        a[:] = 9.0
    assert v.numpy().tolist() == [1.0, 2.0]


def test_what_a_session_fetched_is_the_users(graph):
    v = variable()
    with initialized() as session:
        session.run(v)[:] = 9.0
        session.run(v.assign_add([1.0, 1.0]))[:] = 9.0
        assert session.run(v).tolist() == [2.0, 3.0]


HOLDERS = {
    "a tensor read before": lambda v: v.read_value(),
    "a value": lambda v: v.value(),
    "a sum with nothing": lambda v: tf.convert_to_tensor(v),
    "a slice": lambda v: v[:],
    "a reshaped tensor": lambda v: tf.reshape(v, [2, 1]),
    "an array": lambda v: v.numpy(),
    "a view of NumPy": lambda v: np.asarray(v.value()),
    "a memoryview": lambda v: memoryview(np.asarray(v.value())),
    "another variable": lambda v: variable([0.0, 0.0]).assign(v),
    "a variable made of it": lambda v: tfe.Variable(v),
    "a copy": copy.deepcopy,
}


@pytest.mark.parametrize("change", ["assign_add", "assign_sub"])
@pytest.mark.parametrize("holder", HOLDERS)
def test_changing_in_place_changes_nothing_else(now, holder, change):
    v = variable([0.0, 0.0])
    v.assign_add([1.0, 2.0])  # an array of its own
    held = HOLDERS[holder](v)
    for _ in range(2):
        getattr(v, change)([1.0, 1.0])
    assert np.ravel(held).tolist() == [1.0, 2.0]


def test_changing_in_place_leaves_constants(now):
    c = tf.constant([1.0, 2.0])
    for w in (tfe.Variable(c), variable().assign(c)):
        w.assign_sub([1.0, 1.0])
        w.assign_add(c)
    one = tfe.Variable(1.0)
    one.assign(tf.ones([]))
    one.assign_sub(1.0)
    assert c.numpy().tolist() == [1.0, 2.0] and tf.ones([]).numpy() == 1.0
    assert (tf.constant(0.5) + 1.0).numpy() == 1.5


def test_changing_in_place_leaves_the_constants_of_a_graph(graph):
    v = tf.Variable(tf.constant([1.0, 2.0]))
    change = v.assign_sub([1.0, 1.0])
    with initialized() as session:
        for _ in range(2):
            session.run(change)
        session.run(v.initializer)
        assert session.run(v).tolist() == [1.0, 2.0]


def test_a_variable_subtracted_from_itself(now):
    v = variable([0.0, 0.0])
    v.assign_add([1.0, 2.0])
    assert v.assign_sub(v).numpy().tolist() == [0.0, 0.0]
    assert v.assign_add(v[::-1] + 1.0).numpy().tolist() == [1.0, 1.0]


def test_changing_in_place_is_in_place(now):
    v = variable([0.0, 0.0])
    v.assign_add([1.0, 2.0])
    home = id(v._cell.read())
    v.assign_sub([1.0, 1.0])
    assert id(v._cell.read()) == home


# ------------------------------------------------------------ reading
@pytest.mark.parametrize("way", WAYS)
def test_sparse_read(way):
    def build():
        v = variable([[1.0], [2.0], [3.0]])
        return lambda i: v.sparse_read(i)

    assert run(way, build, np.int32([2, 0])).tolist() == [[3.0], [1.0]]


def test_sparse_read_out_of_range(now):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"= 2 is not in .0, 2."):
        variable().sparse_read([2])


def test_load(now):
    v = variable()
    v.load([8.0, 9.0])
    assert v.numpy().tolist() == [8.0, 9.0]


def test_load_into_a_session(graph):
    v = variable()
    with initialized() as session:
        v.load([8.0, 9.0], session)
        assert v.eval(session).tolist() == [8.0, 9.0]
        with session.as_default():
            v.load([6.0, 7.0])
            assert v.eval().tolist() == [6.0, 7.0]


def test_is_initialized(graph):
    v = variable()
    asked = v.is_initialized()
    with tf.Session() as session:
        assert session.run(asked) == False  # noqa: E712 - a NumPy bool
        session.run(v.initializer)
        assert session.run(asked) == True  # noqa: E712


def test_eager_variables_are_initialized(now):
    assert bool(variable().is_initialized())
    assert variable().initialized_value().numpy().tolist() == [1.0, 2.0]


def test_initialized_value_when_all_are_initialized_together(graph):
    a = tf.Variable(tf.random_uniform([2]), name="a")
    b = tf.Variable(a.initialized_value() * 2.0)
    with initialized() as session:
        a_value, b_value = session.run([a, b])
        assert b_value.tolist() == (a_value * 2).tolist()


def test_initialized_value_falls_back_on_the_initial_value(graph):
    a = tf.Variable([1.0, 2.0])
    b = tf.Variable(a.initialized_value() * 2.0)
    with tf.Session() as session:
        session.run(b.initializer)
        assert session.run(b).tolist() == [2.0, 4.0]
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(a)
        session.run(a.initializer)
        session.run(a.assign([5.0, 6.0]))
        session.run(b.initializer)
        assert session.run(b).tolist() == [10.0, 12.0]


def test_initialized_value_inside_a_branch(graph):
    a = tf.Variable([1.0, 2.0])
    b = []

    def then():
        b.append(tf.Variable(lambda: a.initialized_value() * 2.0))
        return b[0].read_value()

    tf.cond(tf.constant(True), then, lambda: tf.zeros([2]))
    with initialized() as session:
        assert session.run(b[0]).tolist() == [2.0, 4.0]


# ------------------------------------------------------------ copies
@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))]
)
def test_copies_are_variables_of_their_own(now, copied):
    v = variable(name="v", trainable=False)
    w = copied(v)
    v.assign_add([1.0, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(w)
        y = w * w * v
    name = "v_copy:0" if copied is copy.deepcopy else "v:0"
    assert (w.name, w.dtype, w.trainable) == (name, tf.float32, False)
    assert w.numpy().tolist() == [1.0, 2.0] and v.numpy().tolist() == [2.0, 3.0]
    assert tape.gradient(y, w).numpy().tolist() == [4.0, 12.0]


def test_what_is_shared_stays_shared_in_copies(now):
    v = variable()
    a, b = copy.deepcopy([v, v])
    assert a is b and a is not v


def test_variables_of_a_graph_are_not_copied(graph):
    v = variable()
    with pytest.raises(TypeError, match="belongs to its graph"):
        pickle.dumps(v)
    with pytest.raises(NotImplementedError, match="only available when eager"):
        copy.deepcopy(v)


# ------------------------------------------------------------ names
def test_names_now(now):
    with tf.name_scope("a"):
        assert tfe.Variable(1.0).name == "a/Variable:0"
        with tf.name_scope("b"):
            assert tfe.Variable(1.0, name="x").name == "a/b/x:0"
            assert tfe.Variable(1.0, name="x").name == "a/b/x:0"
    assert tfe.Variable(1.0, name="x").name == "x:0"


def test_names_in_a_graph(graph):
    with tf.name_scope("a"):
        assert tf.Variable(1.0, name="x").name == "a/x:0"
        assert tf.Variable(1.0, name="x").name == "a/x_1:0"
        assert tf.Variable(1.0).name == "a/Variable:0"


# ------------------------------------------------------------ errors
@pytest.mark.parametrize("method", ["assign", "assign_add", "assign_sub"])
@pytest.mark.parametrize("value", [[1.0, 2.0, 3.0], 1.0, [[1.0, 2.0]]])
def test_shapes_that_do_not_fit(method, value):
    shape = tf.TensorShape(np.shape(value))
    words = f"Shapes (2,) and {shape} are incompatible"
    with eager():
        v = variable()
        for given in (value, tf.constant(value)):
            with pytest.raises(ValueError) as found:
                getattr(v, method)(given)
            assert str(found.value) == words and v.numpy().tolist() == [1.0, 2.0]
    with tf.Graph().as_default(), pytest.raises(ValueError) as found:
        getattr(variable(), method)(value)
    inferred = ("Shapes must be equal", "Dimension 0 in both shapes must be equal")
    assert str(found.value).startswith((words, *(inferred if "_" in method else ())))


@pytest.mark.parametrize("method", ["assign", "assign_add", "assign_sub"])
def test_dtypes_that_do_not_fit(method):
    with eager():
        v = variable()
        with pytest.raises(tf.errors.InvalidArgumentError, match="got int32"):
            getattr(v, method)(tf.constant([1, 2]))
        with pytest.raises(TypeError, match="Expected float32, got 'a'"):
            getattr(v, method)(["a", "b"])
    with tf.Graph().as_default():
        v = variable()
        with pytest.raises(ValueError, match=r"requested dtype float32 for .* int32"):
            getattr(v, method)(tf.constant([1, 2]))


def test_no_initial_value(now):
    with pytest.raises(ValueError, match="initial_value must be specified"):
        tfe.Variable()


def test_a_tensor_of_the_function_is_no_initial_value(now):
    words = "Tensor-typed variable initializers must either be wrapped in an init_scope"
    for initial in (lambda: tf.ones([2]), lambda: (lambda x: lambda: x)(tf.ones([2]))):
        with pytest.raises(ValueError, match=words):
            tfe.defun(lambda: tf.Variable(initial()) + 1.0)()
    made = []

    def fine():
        if not made:
            made.append(tf.Variable(lambda: tf.ones([2])))
        return made[0] + 1.0

    assert tfe.defun(fine)().numpy().tolist() == [2.0, 2.0]


def test_a_tensor_of_a_function_in_a_graph_is_no_initial_value(graph):
    with pytest.raises(ValueError, match="Tensor-typed variable initializers"):
        tfe.defun(lambda: tf.Variable(tf.ones([2])) + 1.0)()


def test_arguments_of_a_wrong_kind(graph):
    with pytest.raises(ValueError, match="must be a list, tuple, or set"):
        tf.Variable(1.0, collections="here")
    with pytest.raises(ValueError, match="`constraint` argument must be a callable"):
        tf.Variable(1.0, constraint=1)


def test_handles_have_no_value(now):
    with pytest.raises(ValueError, match="Resource handles are not convertible"):
        tf.Variable(1.0).handle.numpy()


def test_variables_are_not_iterable(now):
    for use in (list, lambda v: 1.0 in v):
        with pytest.raises(TypeError, match="iterable"):
            use(variable())


def test_what_only_the_other_mode_has(now):
    v = variable()
    with pytest.raises(AttributeError, match="op is meaningless when eager"):
        v.op
    with pytest.raises(RuntimeError, match="not supported in EAGER mode"):
        v.initial_value
    with pytest.raises(RuntimeError, match="eval in EAGER mode"):
        v.eval()
    with tf.Graph().as_default(), pytest.raises(NotImplementedError):
        variable().numpy()


# ------------------------------------------------------------ operators
OPERATORS = {
    "add": lambda v: v + 1.0,
    "radd": lambda v: 1.0 + v,
    "sub": lambda v: v - v,
    "rsub": lambda v: 1.0 - v,
    "mul": lambda v: v * [2.0, 3.0],
    "truediv": lambda v: v / 2.0,
    "rtruediv": lambda v: 1.0 / v,
    "floordiv": lambda v: v // 2.0,
    "mod": lambda v: v % 2.0,
    "pow": lambda v: v**2.0,
    "neg": lambda v: -v,
    "abs": lambda v: abs(-v),
    "less": lambda v: v < 2.0,
    "greater_equal": lambda v: v >= v,
    "item": lambda v: v[1],
    "slice": lambda v: v[::-1],
    "matmul": lambda v: v[None] @ v[:, None],
}


@pytest.mark.parametrize("way", ["eager", "function", "session"])
@pytest.mark.parametrize("name", OPERATORS)
def test_operators_as_numpy_has_them(name, way):
    operator = OPERATORS[name]

    def build():
        v = variable([1.5, 4.0])
        return lambda: tf.identity(operator(v))

    wanted = operator(np.float32([1.5, 4.0]))
    np.testing.assert_array_equal(run(way, build), wanted)


def test_python_numbers_of_variables(now):
    v = tfe.Variable(3.0)
    assert (float(v), int(v), f"{v}") == (3.0, 3, str(v))
    assert bool(tfe.Variable(True))
    with pytest.raises(ValueError, match="Non-boolean tensor"):
        bool(v)
    assert v == v and len({v, v, tfe.Variable(3.0)}) == 2


def test_a_shape_that_stays_open(graph):
    v = tf.Variable(tf.zeros([2, 3]), validate_shape=False)
    assert v.shape.ndims is None
    session = initialized()
    with pytest.raises(tf.errors.InvalidArgumentError, match="shapes of both tensors"):
        session.run(v.assign([1.0, 2.0]))
    session.run(tf.assign(v, [1.0, 2.0], validate_shape=False))
    assert session.run(v * 2).tolist() == [2.0, 4.0]
    w = tf.Variable([1])
    wide = tf.assign(w, [[1, 2]], validate_shape=False)
    session.run(w.initializer)
    assert wide.shape == (1, 2) and session.run(wide).tolist() == [[1, 2]]
    assert session.run(w).tolist() == [[1, 2]]
    with pytest.raises(ValueError, match="Shapes must be equal rank"):
        tf.assign(w, [[1, 2]])


def test_names_inside_functions():
    kept = []

    @tfe.defun
    def f():
        with tf.name_scope("foo"):
            kept.append(tf.Variable(1.0, name="bar"))
            with tf.variable_scope("vs"):
                kept.append(tf.get_variable("w", []))
        return kept[-2] + kept[-1]

    with eager():
        f()
    with tf.Graph().as_default(), tf.name_scope("outer"):
        f()
    assert [v.name for v in kept] == ["foo/bar:0", "vs/w:0"] * 2


def test_what_creators_are_told(graph):
    seen = {}

    def creator(make, **kwargs):
        seen.update(kwargs)
        return make(**kwargs)

    with tf.variable_creator_scope(creator):
        tf.get_variable("v", [], aggregation=tf.VariableAggregation.MEAN)
        assert seen["aggregation"] is tf.VariableAggregation.MEAN
        v = tf.Variable(1.0, expected_shape=[], use_resource=True, name="x")
    assert seen["use_resource"] is True and v._shared_name == "x"
