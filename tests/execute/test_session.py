"""Sessions: fetches, feeds, initialisation, errors, order, separate variables."""

from collections import OrderedDict, namedtuple

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, interpreted


@pytest.fixture(autouse=True, params=["interpreted", "compiled"])
def engine(request):
    chosen = (
        interpreted() if request.param == "interpreted" else compiled("incompatible")
    )
    with chosen, tf.Graph().as_default():
        yield


def test_fetch_structures():
    a, b = tf.constant(1.0), tf.constant([2, 3])
    op = tf.no_op(name="nothing")
    Pair = namedtuple("Pair", "first second")
    with tf.Session() as session:
        run = session.run
        assert run(a) == 1.0 and type(run(a)) is np.float32
        assert run([a]) == [1.0] and run((a,)) == (1.0,)
        found = run({"x": [a, (b,)], "y": Pair(a, op)})
        assert found["x"][0] == 1.0 and found["x"][1][0].tolist() == [2, 3]
        assert found["y"] == Pair(1.0, None)
        assert list(run(OrderedDict([("z", a), ("a", a)]))) == ["z", "a"]
        assert run([]) == [] and run({}) == {} and run(()) == ()
        assert run(op) is None and run("nothing") is None
        assert run("Const:0") == 1.0 and run(["Const:0", a]) == [1.0, 1.0]
        assert type(run(b)) is np.ndarray


def test_two_nodes_of_one_name_do_not_meet():
    with tf.Session() as session:
        x = tf.placeholder(tf.float32, shape=[1, 1])
        m = tf.matmul(x, x)
        assert session.run(m, feed_dict={x: [[2.0]]}).tolist() == [[4.0]]


@pytest.mark.parametrize(
    "fetch, error, words",
    [
        (None, TypeError, "Fetch argument None has invalid type <class 'NoneType'>"),
        (3, TypeError, "Fetch argument 3 has invalid type <class 'int'>, must be a "
         "string or Tensor. .Can not convert a int into a Tensor or Operation"),
        ("no:0", ValueError, "Fetch argument 'no:0' cannot be interpreted as a Tensor"),
        ("no", ValueError, "refers to an Operation not in the graph"),
    ],
)  # fmt: skip
def test_bad_fetches(fetch, error, words):
    tf.constant(1.0)
    with tf.Session() as session, pytest.raises(error, match=words):
        session.run(fetch)


def test_inside_of_a_branch_is_not_fetchable():
    x = tf.constant(1.0)
    tf.cond(x > 0.0, lambda: tf.exp(x, name="inner"), lambda: x, name="c")
    with (
        tf.Session() as session,
        pytest.raises(ValueError, match="'c/inner' has been marked as not fetchable"),
    ):
        session.run("c/inner:0")


def test_any_tensor_can_be_fed():
    c = tf.constant(1.0)
    y = c + 1.0
    z = y * 10.0
    with tf.Session() as session:
        assert session.run(z) == 20.0
        assert session.run(z, {c: 5.0}) == 60.0
        assert session.run(z, {y: 7.0}) == 70.0
        assert session.run([y, z], {y: 7.0}) == [7.0, 70.0]
        assert session.run(z, {"add:0": 7.0}) == 70.0
        assert session.run(z) == 20.0


def test_one_output_of_several_can_be_fed():
    a, b = tf.split(tf.constant([1.0, 2.0, 3.0, 4.0]), 2)
    with tf.Session() as session:
        found = session.run([a * 10.0, b * 10.0, a, b], {a: [7.0, 8.0]})
        assert [f.tolist() for f in found] == [[70, 80], [30, 40], [7, 8], [3, 4]]


def test_a_node_that_others_wait_for_can_be_fed():
    x = tf.placeholder(tf.float32, [])
    y = tf.identity(x)
    with tf.control_dependencies([y]):
        z = y + 1.0
    with tf.Session() as session:
        assert session.run(z, {x: 1.0, y: 5.0}) == 6.0


def test_a_tensor_inside_a_branch_can_be_fed():
    x = tf.placeholder(tf.float32, [])
    y = tf.cond(x > 0.0, lambda: tf.exp(x, name="inner") * 2.0, lambda: x, name="c")
    with tf.Session() as session:
        assert session.run(y, {x: 1.0, "c/inner:0": 5.0}) == 10.0
        np.testing.assert_allclose(session.run(y, {x: 1.0}), 2 * np.exp(1), rtol=1e-6)


def test_equal_nodes_are_not_merged_when_one_is_fed():
    x = tf.placeholder(tf.float32, [])
    a, b = tf.exp(x), tf.exp(x)
    with tf.control_dependencies([a, b]):
        y = a - b
    with tf.Session() as session:
        assert session.run(y, {x: 0.0, b: 5.0}) == -4.0
        assert session.run(y, {x: 0.0, a: 5.0}) == 4.0


def test_feeds_by_structure():
    a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    with tf.Session() as session:
        assert session.run(a - b, {(a, b): (3.0, 1.0)}) == 2.0


def test_bad_feeds():
    x = tf.placeholder(tf.float32, [None, 3], name="ph")
    y = tf.placeholder(tf.int32, [])
    with tf.Session() as session:
        words = (
            r"Cannot feed value of shape \(2, 5\) for Tensor 'ph:0', which has shape "
            r"'\(\?, 3\)'"
        )
        with pytest.raises(ValueError, match=words):
            session.run(x, {x: np.zeros((2, 5))})
        with pytest.raises(TypeError, match=r"cannot be a tf\.Tensor object"):
            session.run(y, {y: x})
        for key in (3, "zz:0"):
            with pytest.raises(
                TypeError, match="Cannot interpret feed_dict key as Tensor"
            ):
                session.run(y, {key: 1})


# TensorFlow 1.12 words these so.
@pytest.mark.parametrize(
    "shape, words",
    [
        ([None, 3], "with dtype float and shape \\[\\?,3\\]"),
        ([], "with dtype float"),
        (None, "with dtype float"),
    ],
)
def test_placeholder_that_is_not_fed(shape, words):
    x = tf.placeholder(tf.float32, shape, name="ph")
    y = x + 1.0
    invalid = pytest.raises(tf.errors.InvalidArgumentError)
    with tf.Session() as session, invalid as found:
        session.run(y)
    text = str(found.value)
    assert "You must feed a value for placeholder tensor 'ph' with dtype float" in text
    found.match(words)
    assert "[[node ph (defined at " in text and "test_session.py:" in text
    assert found.value.op is x.op and found.value.node_def.name == "ph"


def test_errors_name_the_node_and_the_line():
    x = tf.placeholder(tf.float32, [None, None])
    y = tf.matmul(x, x, name="mymatmul")
    invalid = pytest.raises(tf.errors.InvalidArgumentError)
    with tf.Session() as session, invalid as found:
        session.run(y, {x: np.zeros((2, 3))})
    text = str(found.value)
    assert "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]" in text
    assert "[[node mymatmul (defined at " in text and "test_session.py:" in text


def test_variables_must_be_initialised():
    v = tf.Variable(1.0, name="vv")
    with tf.Session() as session:
        words = "Attempting to use uninitialized value vv"
        for fetch in (v, v + 1.0, v.assign_add(1.0)):
            with pytest.raises(tf.errors.FailedPreconditionError, match=words):
                session.run(fetch)
        assert session.run(v.assign(3.0)) == 3.0
        session.run(tf.global_variables_initializer())
        assert session.run(v) == 1.0


def test_sessions_have_variables_of_their_own():
    v = tf.Variable(1.0)
    step, init = v.assign_add(1.0), tf.global_variables_initializer()
    with tf.Session() as a, tf.Session() as b:
        a.run(init)
        b.run(init)
        assert [a.run(step), a.run(step), b.run(step), a.run(v)] == [2.0, 3.0, 2.0, 3.0]
    with tf.Session() as c, pytest.raises(tf.errors.FailedPreconditionError):
        c.run(v)


def test_only_what_the_fetches_need_runs():
    v = tf.Variable(0.0)
    step = v.assign_add(1.0)
    y = v + 0.0
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(y) == 0.0 and session.run(step) == 1.0
        assert session.run(y) == 1.0


def test_control_dependencies_order():
    v = tf.Variable(1.0)
    with tf.control_dependencies([v.assign(v * 2.0)]):
        added = v.assign_add(3.0)
    with tf.control_dependencies([added]):
        y = tf.identity(v.read_value())
    with tf.Session() as session:
        session.run(v.initializer)
        assert session.run(y) == 5.0
        assert session.run(v) == 5.0


def test_group_and_tuple():
    v, w = tf.Variable(1.0), tf.Variable(1.0)
    both = tf.group(v.assign_add(1.0), w.assign_add(2.0))
    a, _ = tf.tuple([v * 1.0, w.assign_add(10.0)])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(both) is None
        assert session.run([v, w]) == [2.0, 3.0]
        assert session.run(a) == 2.0
        assert session.run(w) == 13.0


def test_appending_to_the_graph_between_runs():
    x = tf.placeholder(tf.float32, [])
    y = x * 2.0
    with tf.Session() as session:
        assert session.run(y, {x: 1.0}) == 2.0
        z = y + 1.0
        assert session.run(z, {x: 1.0}) == 3.0
        (dx,) = tf.gradients(z * z, x)
        assert session.run([y, dx], {x: 1.0}) == [2.0, 12.0]


def test_gradient_of_a_loop_asked_for_after_the_first_run():
    x = tf.placeholder(tf.float32, [])
    y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, x])[1]
    with tf.Session() as session:
        assert session.run(y, {x: 2.0}) == 16.0
        (dx,) = tf.gradients(y, x)
        assert session.run([y, dx], {x: 2.0}) == [16.0, 32.0]
        assert session.run(y, {x: 2.0}) == 16.0


def test_default_session():
    x = tf.constant(3.0)
    assert tf.get_default_session() is None
    with tf.Session() as session:
        assert tf.get_default_session() is session
        assert x.eval() == 3.0
        v = tf.Variable(1.0)
        v.initializer.run()
        assert v.eval() == 1.0
    session = tf.InteractiveSession()
    assert x.eval() == 3.0
    session.close()
    assert tf.get_default_session() is None
    with pytest.raises(ValueError, match="No default session is registered"):
        x.eval()
    with pytest.raises(ValueError, match="No default session is registered"):
        x.op.run()
    another = pytest.raises(ValueError, match="graph is different from the session")
    with tf.Graph().as_default(), tf.Session(), another:
        x.eval()


def test_closed_and_empty_sessions():
    empty = pytest.raises(RuntimeError, match="The Session graph is empty")
    with tf.Session() as session, empty:
        session.run([])
    with pytest.raises(RuntimeError, match="Attempted to use a closed Session"):
        session.run([])


def test_make_callable():
    a, b = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    with tf.Session() as session:
        f = session.make_callable([a - b], [a, b])
        assert f(3.0, 1.0) == [2.0]


def test_what_goes_in_and_out_is_copied():
    x = tf.placeholder(tf.float32, [2])
    v = tf.Variable([0.0, 0.0])
    fed = np.array([1.0, 2.0], np.float32)
    with tf.Session() as session:
        session.run(v.initializer)
        out = session.run([x, tf.identity(x), v.assign(x), v], {x: fed})
        fed[:] = 9.0
        for o in out[:3]:
            o[:] = 8.0
        assert session.run(v).tolist() == [1.0, 2.0]
        for _ in range(3):
            session.run(v)[:] = 7.0
        assert session.run(v).tolist() == [1.0, 2.0]


def test_load():
    v = tf.Variable([1.0, 2.0])
    with tf.Session() as session:
        value = np.array([5.0, 6.0], np.float32)
        v.load(value, session)
        value[:] = 0.0
        assert session.run(v).tolist() == [5.0, 6.0]


def test_functions_in_a_session():
    f = tf.contrib.eager.defun(lambda x: x * x + 1.0)
    g = tf.contrib.eager.defun(lambda x: f(x) * f(x + 1.0))
    x = tf.placeholder(tf.float32, [])
    y = g(x)
    (dx,) = tf.gradients(y, x)
    (d2,) = tf.gradients(dx, x)
    with tf.Session() as session:
        assert session.run([y, dx, d2], {x: 2.0}) == [50.0, 70.0, 78.0]
        assert session.run(y, {x: 3.0}) == 170.0


def test_seeded_numbers_repeat_in_every_session():
    tf.set_random_seed(7)
    x = tf.random_uniform([3])
    found = []
    for _ in range(2):
        with tf.Session() as session:
            found.append([session.run(x).tolist() for _ in range(3)])
    assert found[0] == found[1] and found[0][0] != found[0][1]


def test_an_operation_is_no_feed_and_no_tensor():
    with tf.Graph().as_default() as graph, tf.Session() as session:
        y = tf.constant(1.0, name="y") + 1.0
        words = "Can not convert a Operation into a Tensor"
        for key, text in ((y.op, words), ("y", "refers to an Operation, not a T")):
            with pytest.raises(TypeError, match=text):
                session.run(y, {key: 1.0})
        with pytest.raises(
            TypeError, match="Can not convert a Tensor into a Operation"
        ):
            graph.as_graph_element(y, allow_tensor=False)


def test_feeds_are_converted_as_numpy_does():
    x, i, b = (tf.placeholder(d) for d in (tf.float32, tf.int32, tf.bool))
    with tf.Session() as session:
        assert session.run(i, {i: [1.9, 2.0]}).tolist() == [1, 2]
        assert session.run(b, {b: 1}) and session.run(x, {x: True}) == 1.0
        with pytest.raises(TypeError, match="is not compatible with Tensor type"):
            session.run(i, {i: 1 << 40})
        with pytest.raises(TypeError, match="is not compatible with Tensor type"):
            session.run(b, {b: 2})
        with pytest.raises(ValueError, match="could not convert string to float"):
            session.run(x, {x: "a"})
        with pytest.raises(ValueError, match=r"convert a value .None."):
            session.run(x, {x: None})


def test_a_sparse_feed_without_its_known_shape():
    x = tf.sparse_placeholder(tf.float32, [2, 3])
    with tf.Session() as session:
        found = session.run(tf.sparse_tensor_to_dense(x), {x: ([[1, 2]], [5.0])})
        assert found.tolist() == [[0, 0, 0], [0, 0, 5]]


def test_callables_with_options():
    x = tf.placeholder(tf.float32)
    with tf.Session() as session:
        double = session.make_callable(x * 2, [x], accept_options=True)
        assert double(3.0, options=None, run_metadata=None) == 6.0
        with pytest.raises(TypeError, match="options"):
            session.make_callable(x * 2, [x])(3.0, options=None)


def test_what_a_session_is_made_of():
    with pytest.raises(TypeError, match="target must be a string"):
        tf.Session(37)
    with pytest.raises(TypeError, match="graph must be a"):
        tf.Session(graph=37)
    with tf.Session() as session, pytest.raises(RuntimeError, match="not re-entrant"):
        session.__enter__()
    tf.constant(1.0, name="one")
    assert tf.Session().run(b"one:0") == 1.0


def test_a_second_interactive_session_warns():
    first = tf.InteractiveSession()
    with pytest.warns(UserWarning, match="interactive session is already active"):
        tf.InteractiveSession().close()
    first.close()
