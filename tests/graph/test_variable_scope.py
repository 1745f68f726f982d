"""Variables by name: scopes, sharing, getters, stores and templates.

What is expected was seen with TensorFlow 1.12.
"""

import threading

import numpy as np
import pytest

import twinflow as tf
from tests.ways import eager
from twinflow.graph.defaults import get_default_graph

W = [2]


@pytest.fixture
def graph():
    with tf.Graph().as_default() as g:
        yield g


@pytest.fixture
def now():
    with eager():
        yield
    for key in ("variable_store", "variable_scopes"):
        get_default_graph().state.pop(key, None)


def names(*variables):
    return [v.name for v in variables]


# --------------------------------------------------------------------------- names
def test_scopes_name_variables_and_ops(graph):
    with tf.variable_scope("a") as a:
        w = tf.get_variable("w", W)
        with tf.variable_scope("b/c") as c:
            assert names(tf.get_variable("w", W)) == ["a/b/c/w:0"]
    assert (a.name, a.original_name_scope, w.name) == ("a", "a/", "a/w:0")
    assert (c.name, c.original_name_scope) == ("a/b/c", "a/b/c/")
    with tf.variable_scope(a):
        assert tf.identity(1.0).name == "a_1/Identity:0"
        assert names(tf.get_variable("u", W), tf.Variable(1.0)) == [
            "a/u:0", "a_1/Variable:0",
        ]  # fmt: skip
    with tf.variable_scope(a, auxiliary_name_scope=False):
        assert tf.identity(1.0).name == "Identity:0"
    with tf.name_scope("n"):
        assert names(tf.get_variable("w", W)) == ["w:0"]


def test_default_names_are_numbered(graph):
    found = []

    def opened():
        with tf.variable_scope(None, "d") as scope:
            found.append((scope.name, tf.get_variable("w", W).name))

    opened()
    opened()
    with tf.variable_scope("x"):
        opened()
    assert found == [("d", "d/w:0"), ("d_1", "d_1/w:0"), ("x/d", "x/d/w:0")]


def test_initializers_and_losses_have_the_names_of_tensorflow(graph):
    with tf.variable_scope("a", regularizer=tf.reduce_sum):
        w = tf.get_variable("w", W, initializer=tf.ones_initializer())
        tf.get_variable("v", W, regularizer=tf.no_regularizer)
    losses = tf.get_collection(tf.GraphKeys.REGULARIZATION_LOSSES)
    assert names(*losses) == ["a/w/Regularizer/Sum:0"]
    assert w.initializer.name == "a/w/Assign"
    assert names(*tf.global_variables(scope="a/w")) == ["a/w:0"]


# ------------------------------------------------------------------------- sharing
def test_sharing(graph):
    with tf.variable_scope("a") as scope:
        w = tf.get_variable("w", W)
        with pytest.raises(ValueError, match="a/w already exists, disallowed"):
            tf.get_variable("w", W)
        scope.reuse_variables()
        assert tf.get_variable("w", W) is w
    with tf.variable_scope("a", reuse=True):
        with tf.variable_scope("b"), pytest.raises(ValueError, match="a/b/w does not"):
            tf.get_variable("w", W)
        with pytest.raises(ValueError, match=r"shape \(3,\) and found shape \(2,\)\."):
            tf.get_variable("w", [3])
        with pytest.raises(ValueError, match="specified dtype int32 and found dtype f"):
            tf.get_variable("w", W, tf.int32)
    with tf.variable_scope("a", reuse=tf.AUTO_REUSE):
        assert tf.get_variable("w") is w and tf.get_variable("z", W) is not w


def test_where_a_variable_was_made(graph):
    tf.get_variable("w", W)  # the line that is shown
    with pytest.raises(ValueError, match="Originally defined at:") as caught:
        tf.get_variable("w", W)
    assert "the line that is shown" in str(caught.value)
    assert "create it with tf.get_variable" not in str(caught.value)
    with tf.variable_scope("s", reuse=True):
        text = (
            "Variable s/w does not exist, or was not created with tf.get_variable(). "
            "Did you mean to set reuse=tf.AUTO_REUSE in VarScope?"
        )
        with pytest.raises(ValueError) as caught:
            tf.get_variable("w", W)
        assert str(caught.value) == text


def test_threads_have_scopes_of_their_own(graph):
    found = []

    def other():
        with graph.as_default():
            found.append(tf.get_variable_scope().name)

    with tf.variable_scope("a"):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert found == [""]


# ------------------------------------------------------------------------ defaults
def test_scopes_give_defaults(graph):
    ones = tf.ones_initializer()
    outer = tf.variable_scope("a", initializer=ones, dtype=tf.float64)
    with outer, tf.variable_scope("b", constraint=tf.identity):
        v = tf.get_variable("v", W)
        u = tf.get_variable("u", W, tf.int32, tf.zeros_initializer())
    assert v.dtype.name == "float64_ref" and u.dtype.base_dtype is tf.int32
    assert v.constraint is not None
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run([v, u])[0].tolist() == [1.0, 1.0]


def test_values_as_initializers(graph):
    v = tf.get_variable("v", initializer=np.array([1.0, 2.0]))
    assert v.dtype.base_dtype is tf.float64 and v.shape.as_list() == [2]
    assert tf.get_variable("i", initializer=3).dtype.base_dtype is tf.int32
    f = tf.get_variable("f", initializer=lambda: tf.zeros([3]))
    assert f.shape.as_list() == [3]
    for error, options in (
        ("If initializer is a constant, do not specify shape", {"shape": [2]}),
        ("and explicit dtype '<dtype: 'int32'>' don't match", {"dtype": tf.int32}),
    ):
        with pytest.raises(ValueError, match=error):
            tf.get_variable("w", initializer=tf.constant([1.0, 2.0]), **options)
    with pytest.raises(ValueError, match="expects no arguments to its callable when"):
        tf.get_variable("w", [None, 2])


def test_custom_getters(graph):
    calls = []

    def outer(getter, name, *args, **kwargs):
        calls.append(("outer", name, kwargs["shape"]))
        return getter(name, *args, **kwargs)

    def inner(getter, name, *args, **kwargs):
        calls.append(("inner", name))
        return tf.identity(getter(name + "_x", *args, **kwargs))

    around = tf.variable_scope("a", custom_getter=outer)
    with around, tf.variable_scope("b", custom_getter=inner):
        found = tf.get_variable("w", W)
    assert calls == [("inner", "a/b/w"), ("outer", "a/b/w_x", W)]
    assert isinstance(found, tf.Tensor)
    with pytest.raises(ValueError, match="custom_getter which is not callable: 3"):
        tf.get_variable("w", W, custom_getter=3)


def test_collections(graph):
    tf.get_variable("w", W, collections=["c"], trainable=False)
    v = tf.get_local_variable("v", W)
    assert names(*tf.get_collection("c")) == ["w:0"] and not tf.global_variables()
    assert names(*tf.local_variables()) == ["v:0"] and not v.trainable
    with tf.variable_scope("s") as s:
        tf.get_variable("a", W)
        tf.get_variable("b", W, trainable=False)
    assert names(*s.trainable_variables()) == ["s/a:0"]
    assert names(*s.global_variables()) == ["s/a:0", "s/b:0"]
    on_read = tf.VariableSynchronization.ON_READ
    assert not tf.get_variable("r", W, synchronization=on_read).trainable
    with pytest.raises(ValueError, match="ON_READ only for non-trainable variables"):
        tf.get_variable("q", W, synchronization=on_read, trainable=True)


def test_what_a_scope_refuses(graph):
    for error, kind, args, options in (
        ("default_name is None then name_or", TypeError, (None,), {}),
        ("must be True or False or None", ValueError, ("a",), {"reuse": 3}),
        ("reuse=True cannot be used without", ValueError, (None, "d"), {"reuse": True}),
        ("must be a string or VariableScope", TypeError, (3,), {}),
    ):
        with pytest.raises(kind, match=error):
            tf.variable_scope(*args, **options).__enter__()


# -------------------------------------------------------------------- partitioners
def test_partitioners():
    shape = tf.TensorShape([512, 3])
    by_bytes = tf.variable_axis_size_partitioner
    at_least = tf.min_max_variable_partitioner
    assert tf.fixed_size_partitioner(3, axis=1)(shape=shape) == [1, 3]
    assert by_bytes(1024)(shape=shape, dtype=tf.float32) == [7, 1]
    assert by_bytes(1024, max_shards=4)(shape=shape, dtype=tf.float64) == [4, 1]
    assert at_least(100, min_slice_size=100)(
        shape=tf.TensorShape([50, 10]), dtype=tf.float32
    ) == [20, 1]
    with pytest.raises(ValueError, match="shape is not fully defined"):
        by_bytes(10)(shape=tf.TensorShape([None]), dtype=tf.float32)


# -------------------------------------------------------------------- eager, defun
def test_eager_variables_are_not_shared(now):
    with tf.variable_scope("a") as scope:
        v, w = tf.get_variable("w", W), tf.get_variable("w", W)
    assert v is not w and names(v, w) == ["a/w:0", "a/w:0"]
    assert scope.reuse is tf.AUTO_REUSE
    with tf.variable_scope("a", reuse=True):
        tf.get_variable("new", W)


def test_eager_stores_share(now):
    store = tf.contrib.eager.EagerVariableStore()
    with store.as_default():
        w = tf.get_variable("w", W)
        tf.get_variable("b", W, trainable=False)
    with store.as_default():
        assert tf.get_variable("w", W) is w
    assert names(*store.variables()) == ["b:0", "w:0"]
    assert names(*store.trainable_variables()) == ["w:0"]
    copied = store.copy().trainable_variables()[0]
    assert copied is not w and (copied.numpy() == w.numpy()).all()
    assert tf.get_variable("w", W) is not w


def test_functions_share_with_what_is_around_them(now):
    @tf.contrib.eager.defun
    def f(x):
        with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
            v = tf.get_variable("v", [], initializer=tf.ones_initializer())
        return v.assign_add(1.0) * x

    assert f(tf.constant(1.0)).numpy() == 2.0
    assert f(tf.constant([1.0, 1.0])).numpy().tolist() == [3.0, 3.0]


def test_functions_in_graphs_share(graph):
    @tf.contrib.eager.defun
    def f(x):
        with tf.variable_scope("s", reuse=tf.AUTO_REUSE):
            return tf.get_variable("v", [], initializer=tf.ones_initializer()) * x

    y = f(tf.constant(2.0)) + f(tf.constant([3.0]))
    assert names(*tf.global_variables()) == ["s/v:0"]
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        assert session.run(y).tolist() == [5.0]


# --------------------------------------------------------------- templates, makers
def scaled(x):
    return x * tf.get_variable("w", [], initializer=tf.ones_initializer())


def test_templates(graph):
    f, g = tf.make_template("t", scaled), tf.make_template("t", scaled)
    f(1.0), g(1.0), f(2.0)
    assert names(*f.variables) == ["t/w:0"] and names(*g.variables) == ["t_1/w:0"]
    assert (f.name, f.var_scope.name, f.variable_scope_name) == ("t", "t", "t/")
    only = tf.make_template("t", scaled, unique_name_="q")
    only(1.0)
    assert names(*only.trainable_variables) == ["q/w:0"]
    early = tf.make_template("e", scaled, create_scope_now_=True)
    with tf.variable_scope("x"):
        early(1.0)
    assert names(*early.variables) == ["e/w:0"]
    wrong = tf.make_template("z", lambda: tf.Variable(1.0))
    wrong()
    with pytest.raises(ValueError, match="after the first time, perhaps you used"):
        wrong()
    with pytest.raises(ValueError, match="name cannot be None"):
        tf.make_template(None, scaled)


def test_templates_in_templates_share_eagerly(now):
    def inner():
        return tf.get_variable("w", [])

    def outer():
        made = [tf.make_template("in", inner) for _ in range(2)]
        found = [template() for template in made]
        assert [t.variables for t in made] == [[w] for w in found]
        return found

    template = tf.make_template("out", outer)
    first, again = template(), template()
    assert first[0] is again[0] and first[1] is again[1]
    assert [w.name for w in template.variables] == ["out/in/w:0", "out/in_1/w:0"]
    other = tf.make_template("out", outer)
    assert other()[0] is not first[0] and len(other.trainable_variables) == 2


def test_templates_share_eagerly(now):
    f = tf.make_template("t", scaled)
    f(1.0), f(2.0)
    assert names(*f.variables) == ["t/w:0"]
    f.variables[0].assign(3.0)
    assert f(2.0).numpy() == 6.0


def test_creators(graph):
    asked = []

    def first(create, **kwargs):
        asked.append(("first", kwargs["name"], kwargs["trainable"]))
        return create(**kwargs)

    def second(create, **kwargs):
        asked.append(("second", kwargs["name"]))
        return create(**{**kwargs, "name": "new"})

    with tf.variable_creator_scope(first), tf.variable_creator_scope(second):
        v = tf.Variable(1.0, name="v", trainable=False)
        w = tf.get_variable("w", W)
    assert names(v, w) == ["new:0", "new_1:0"]
    assert asked[:2] == [("second", "v"), ("first", "new", False)]
    assert tf.Variable(1.0, name="x").name == "x:0"


def test_init_scope_leaves_functions(now):
    kept = []

    @tf.contrib.eager.defun
    def f(x):
        with tf.init_scope():
            kept.append(tf.constant(1.0) + 1.0)
        return x

    f(tf.constant(1.0))
    assert kept[0].numpy() == 2.0
