"""Contract M: functions that are traced into graphs; without autograph."""

import gc

import numpy as np
import pytest

import twinflow as tf
from tests.contract.programs import printed
from tests.modes import both

tfe = tf.contrib.eager
pytestmark = pytest.mark.usefixtures("eager")


class Net(tf.keras.Model):
    def __init__(self):
        super(Net, self).__init__()
        self.dense = tf.keras.layers.Dense(2, kernel_initializer="ones")

    def call(self, x):
        return self.dense(x)

    def compute_gradients(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(self(x))
        return tape.gradient(loss, self.trainable_variables), loss


# ------------------------------------------------------------------ M01, M02
def test_m01_functions_methods_and_decorators():
    @tfe.defun
    def f(x):
        assert not tf.executing_eagerly()
        return x * 2.0

    class Scale(object):
        factor = 3.0

        @tfe.defun
        def run(self, x):
            return x * self.factor

    assert f(tf.constant(2.0)).numpy() == 4.0 and f(2.0).numpy() == 4.0
    scale = Scale()
    assert scale.run(tf.constant(2.0)).numpy() == 6.0
    assert tfe.defun(lambda x: -x)(tf.constant(1.0)).numpy() == -1.0
    assert f.__name__ == "f" and tfe.defun()(abs)(tf.constant(-1.0)).numpy() == 1.0


def test_m02_forward_gradients_and_updates():
    model, x = Net(), tf.ones([3, 4])
    optimizer = tf.train.GradientDescentOptimizer(0.5)
    global_step = tf.train.get_or_create_global_step()
    plain = Net()
    plain(x)
    model.call = tfe.defun(model.call)
    model.compute_gradients = tfe.defun(model.compute_gradients)

    def apply_gradients(optimizer, gradients, variables, global_step=None):
        optimizer.apply_gradients(zip(gradients, variables), global_step=global_step)

    apply_in_graph = tfe.defun(apply_gradients)
    for _ in range(2):
        grads, loss = model.compute_gradients(x)
        apply_in_graph(optimizer, grads, model.trainable_variables, global_step)
        wanted, _ = plain.compute_gradients(x)
        apply_gradients(optimizer, wanted, plain.trainable_variables)
    assert global_step.numpy() == 2 and loss.numpy() == -21.0
    for v, w in zip(model.variables, plain.variables, strict=True):
        np.testing.assert_array_equal(v.numpy(), w.numpy())


@both
def test_m02_functions_work_in_both_modes(run):
    def build():
        w = tfe.Variable([[2.0]])
        f = tfe.defun(lambda x: tf.matmul(x, w) + 1.0)
        x = tf.constant([[3.0]])
        with tf.GradientTape() as tape:
            y = f(x)
        return y, tape.gradient(y, w)

    y, dw = run(build)
    assert (y, dw) == (7.0, 3.0)


# ------------------------------------------------------------------ M03
def test_m03_gradients_through_functions():
    w = tfe.Variable(3.0)
    f = tfe.defun(lambda x: w * x * x)
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x) * 2.0
    assert [g.numpy() for g in tape.gradient(y, [x, w])] == [24.0, 8.0]
    grad = tfe.gradients_function(f)
    second = tfe.gradients_function(lambda x: grad(x)[0])
    assert (grad(2.0)[0].numpy(), second(2.0)[0].numpy()) == (12.0, 6.0)


def test_m03_the_whole_program_is_optimised():
    f = tfe.defun(lambda x: (x * 2.0 + 0.0) + (x * 2.0) + tf.constant(1.0) * 3.0)
    x = tf.constant([1.0])
    f(x)
    written, left = str(f.trace(x)), f.trace(x).optimized()
    assert written.count("Mul") > left.count("Mul")


# ------------------------------------------------------------------ M04
def test_m04_one_trace_per_kind_of_arguments():
    def f(x, y=1):
        print("tracing")
        return x * y

    def count(*args):
        return printed(g, *args)[0].count("tracing")

    g = tfe.defun(f)
    v, w = tfe.Variable(1.0), tfe.Variable(2.0)
    assert [count(tf.ones([2])), count(tf.zeros([2])), count(tf.ones([3]))] == [1, 0, 1]
    assert [count(tf.ones([2]), 2), count(tf.ones([2]), 2)] == [1, 0]
    assert [count(tf.ones([2], tf.float64)), count(np.ones([2], np.float32))] == [1, 0]
    assert [count(v), count(v), count(w)] == [1, 0, 1]
    assert g(w).numpy() == 2.0


def test_m04_an_input_signature_gives_one_trace():
    signature = [tf.TensorSpec([None], tf.float32)]
    f = tfe.defun(lambda x: (print("tracing"), x * 2.0)[1], input_signature=signature)
    text, _ = printed(lambda: [f(tf.ones([n])) for n in (1, 2, 3)])
    assert text == "tracing\n"
    with pytest.raises(ValueError, match="incompatible with input_signature"):
        f(tf.ones([2, 2]))


# ------------------------------------------------------------------ M05, M06
BOOL = "Using a `tf.Tensor` as a Python `bool` is not allowed"


@pytest.mark.parametrize("options", [{}, {"autograph": False}])
def test_m05_m06_python_branches_on_tensors(options):
    def branch(x):
        return x if x > 0.0 else -x

    def loop(x):
        while x > 1.0:
            x = x / 2.0
        return x

    for f in (branch, loop):
        with pytest.raises(TypeError, match=BOOL):
            if options:
                tf.function(f, **options)(tf.constant(3.0))
            else:
                tfe.defun(f)(tf.constant(3.0))


def test_m05_branches_on_python_values_are_unrolled():
    f = tfe.defun(lambda x, n: x if n == 0 else f(x * 2.0, n - 1))
    assert f(tf.constant(1.0), 3).numpy() == 8.0


# ------------------------------------------------------------------ M07
def test_m07_variables_that_are_gone():
    def f():
        v = tfe.Variable(1.0)
        return v.read_value()

    with pytest.raises(AssertionError) as raised:
        tfe.defun(f)()
    assert str(raised.value).startswith(
        "Called a function referencing variables which have been deleted."
    )
    kept = [tfe.Variable(1.0)]
    g = tfe.defun(lambda: kept[0].read_value())
    assert g().numpy() == 1.0
    kept.clear()
    gc.collect()
    with pytest.raises(AssertionError, match="variables which have been deleted"):
        g()


def test_m07_variables_made_once_and_kept():
    class Counter(object):
        v = None

        @tfe.defun
        def __call__(self):
            if self.v is None:
                self.v = tfe.Variable(0.0)
            return self.v.assign_add(1.0)

    counter = Counter()
    assert [counter().numpy() for _ in range(3)] == [1.0, 2.0, 3.0]


# ------------------------------------------------------------------ M08
def test_m08_tf_function():
    @tf.function
    def f(x):
        return x * x

    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def g(x):
        return x + 1.0

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(g(x))
    assert y.numpy() == 16.0 and tape.gradient(y, x).numpy() == 8.0
