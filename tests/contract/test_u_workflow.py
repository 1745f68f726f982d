"""Contract U: one program for both modes, switched by one line; U04-U07: the kit."""

import numpy as np
import pytest

import twinflow as tf
from tests.contract.programs import process
from tests.modes import eagerly, in_graph

tfe = tf.contrib.eager

# ------------------------------------------------------------------ U01
REGRESSION = """
    import numpy as np
    import twinflow as tf
    tfe = tf.contrib.eager
    {switch}tf.enable_eager_execution()

    np.random.seed(0)
    inputs = np.random.randn(50).astype(np.float32)
    outputs = inputs * 3 + 2
    W, B = tfe.Variable(5.0, name="weight"), tfe.Variable(10.0, name="bias")
    optimizer = tf.train.GradientDescentOptimizer(learning_rate=0.1)

    def loss():
        return tf.reduce_mean(tf.square(inputs * W + B - outputs))

    def train():
        with tf.GradientTape() as tape:
            value = loss()
        grads = tape.gradient(value, [W, B])
        return optimizer.apply_gradients(zip(grads, [W, B]))

    if tf.executing_eagerly():
        for i in range(100):
            train()
        print("%.4f %.4f %.4f" % (W.numpy(), B.numpy(), loss().numpy()))
    else:
        step, final = train(), loss()
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for i in range(100):
                sess.run(step)
            print("%.4f %.4f %.4f" % tuple(sess.run([W, B, final])))
"""


@pytest.mark.parametrize("switch", ["", "# "])
def test_u01_one_line_switches_the_mode(switch):
    found = process(REGRESSION.format(switch=switch))
    assert found == "3.0000 2.0000 0.0000\n"


# ------------------------------------------------------------------ three styles
POINTS = np.float32([0.1, 0.7, -0.4, 1.2, -0.9])
STEPS, RATE = 40, 0.2


class Line(tf.keras.Model):
    """A line with variables of its own."""

    def __init__(self):
        super().__init__()
        self.W = tfe.Variable(5.0, name="weight")
        self.B = tfe.Variable(10.0, name="bias")

    def call(self, inputs):
        return inputs * self.W + self.B


def squared(model):
    return tf.reduce_mean(tf.square(model(POINTS) - (POINTS * 3.0 + 2.0)))


def by_tape(model, opt):
    with tf.GradientTape() as tape:
        value = squared(model)
    grads = tape.gradient(value, model.variables)
    return opt.apply_gradients(zip(grads, model.variables, strict=True))


def by_implicit_gradients(model, opt):
    return opt.apply_gradients(tfe.implicit_gradients(squared)(model))


def by_minimize(model, opt):
    return opt.minimize(lambda: squared(model), var_list=model.variables)


def trained_eagerly(style):
    def program():
        model, opt = Line(), tf.train.GradientDescentOptimizer(RATE)
        for _ in range(STEPS):
            style(model, opt)
        return model.W, model.B

    return eagerly(program)


def trained_in_a_function(style):
    def program():
        model, opt = Line(), tf.train.GradientDescentOptimizer(RATE)
        step = tfe.defun(lambda: style(model, opt))
        for _ in range(STEPS):
            step()
        return model.W, model.B

    return eagerly(program)


def trained_in_a_graph(style):
    with tf.Graph().as_default(), tf.Session() as sess:
        model, opt = Line(), tf.train.GradientDescentOptimizer(RATE)
        step = style(model, opt)
        sess.run(tf.global_variables_initializer())
        for _ in range(STEPS):
            sess.run(step)
        return sess.run((model.W, model.B))


def exact():
    """The same steps by hand."""
    w, b = 5.0, 10.0
    x = POINTS.astype(np.float64)
    for _ in range(STEPS):
        error = (w - 3) * x + b - 2
        w, b = w - RATE * 2 * (error * x).mean(), b - RATE * 2 * error.mean()
    return w, b


@pytest.mark.parametrize("style", [by_tape, by_implicit_gradients, by_minimize])
@pytest.mark.parametrize(
    "trained", [trained_eagerly, trained_in_a_function, trained_in_a_graph]
)
def test_u01_the_toy_regression_in_three_styles(trained, style):
    np.testing.assert_allclose(trained(style), exact(), rtol=1e-5)


# ------------------------------------------------------------------ U02
class Net(tf.keras.Model):
    """A small network."""

    def __init__(self):
        super().__init__()
        start = tf.constant_initializer(0.1)
        self.hidden = tf.keras.layers.Dense(
            4, activation="tanh", kernel_initializer=start
        )
        self.out = tf.keras.layers.Dense(1, kernel_initializer=start)

    def call(self, inputs):
        return self.out(self.hidden(inputs))


def build_inputs():
    x = np.linspace(-1, 1, 12, dtype=np.float32).reshape(6, 2)
    y = np.square(x).sum(1, keepdims=True)
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(2)


def train(model, optimizer, inputs, labels):
    """One step (eager), or the tensors and ops of one (graph)."""
    with tf.GradientTape() as tape:
        predicts = model(inputs)
        loss = tf.reduce_mean(tf.square(predicts - labels))
    gradients = tape.gradient(loss, model.variables)
    train_op = optimizer.apply_gradients(zip(gradients, model.variables, strict=True))
    return loss, train_op


def entrance(epochs=3):
    """The losses of each batch, by the loop of the seed document."""
    model, dataset = Net(), build_inputs()
    optimizer, losses = tf.train.AdamOptimizer(0.05), []
    for i in range(epochs):
        if tf.executing_eagerly():
            for inputs, labels in tfe.Iterator(dataset):
                loss_value, train_op = train(model, optimizer, inputs, labels)
                assert train_op is None
                losses.append(loss_value.numpy())
            continue
        if i == 0:
            iterator = dataset.make_initializable_iterator()
            inputs, labels = iterator.get_next()
            loss, train_op = train(model, optimizer, inputs, labels)
            assert isinstance(train_op, tf.Operation)
            sess = tf.Session()
            sess.run(tf.global_variables_initializer())
        sess.run(iterator.initializer)
        while True:
            try:
                loss_value, _ = sess.run([loss, train_op])
            except tf.errors.OutOfRangeError:
                break
            losses.append(loss_value)
    return losses


def test_u02_train_and_the_whole_entrance_loop():
    found = []
    eagerly(lambda: found.append(entrance()) or ())
    with tf.Graph().as_default():
        found.append(entrance())
    eager, graph = found
    assert len(eager) == len(graph) == 9
    np.testing.assert_allclose(graph, eager, rtol=1e-5)
    assert eager[-1] < eager[0]


# ------------------------------------------------------------------ U03
def test_u03_values_can_be_looked_at_anywhere(eager):
    seen = []

    class Looking(Net):
        def call(self, inputs):
            x = self.hidden(inputs)
            seen.append((x.numpy().max(), bool(np.isnan(x.numpy()).any())))
            return self.out(x)

    model, tape = Looking(), tf.GradientTape()
    with tape:
        loss = tf.reduce_sum(model(tf.ones([1, 2])))
    grads = tape.gradient(loss, model.variables)
    assert not seen[0][1] and all(np.isfinite(g.numpy()).all() for g in grads)


def test_u03_a_nan_is_seen_where_it_is_made(eager):
    x = tf.log(tf.constant(-1.0))
    assert np.isnan(x.numpy())
    with pytest.raises(tf.errors.InvalidArgumentError, match="Tensor had NaN values"):
        tf.check_numerics(x, "here")


def test_u03_the_same_in_a_graph():
    def program():
        return tf.py_func(lambda x: np.float32(np.isnan(x)), [tf.log(-1.0)], tf.float32)

    assert in_graph(program) == 1.0
