"""Contract D13, D22, D26 and D27: layers and models while they are trained."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both, close, eagerly

layers = tf.keras.layers


def wave(shape, seed):
    """Numbers that look random, the smaller the more of them are summed."""
    n = int(np.prod(shape))
    parts = np.sin(np.arange(n) * 12.9898 + seed * 78.233) * 43758.5453
    parts = 2 * (parts - np.floor(parts)) - 1
    return (parts * np.sqrt(3.0 / np.prod(shape[:-1]))).astype("f").reshape(shape)


# ------------------------------------------------------------------ D13
@both
def test_d13_reshape_and_lstm(run):
    made = []

    def build():
        images = layers.Reshape([28, 28, 1], name="input_reshape")
        lstm = layers.LSTM(units=3, use_bias=True)
        made.extend([images, lstm])
        return images(tf.ones([2, 784])), lstm(tf.constant(wave((2, 5, 4), 0)))

    found, states = run(build)
    images, lstm = made
    assert (found.shape, states.shape) == ((2, 28, 28, 1), (2, 3))
    assert images.name == "input_reshape" and images.variables == []
    assert [v.name for v in lstm.variables] == [
        f"lstm/{part}:0" for part in ("kernel", "recurrent_kernel", "bias")
    ]
    assert [v.shape.as_list() for v in lstm.variables] == [[4, 12], [3, 12], [12]]


# ------------------------------------------------------------------ D22
class Normed(tf.keras.Model):
    def __init__(self):
        super(Normed, self).__init__()
        self.norm = layers.BatchNormalization()

    def call(self, x, training=True):
        return self.norm(x, training=training)


BATCH = np.float32([[1, 10], [2, 20], [6, 60]])
# mean 3, 30; variance 14/3, 1400/3: 1 % of the way from 0 and from 1
MOVED = [0.03, 0.3], [0.99 + 0.14 / 3, 0.99 + 14.0 / 3]


def moving(model):
    return model.norm.moving_mean, model.norm.moving_variance


def test_d22_averages_move_by_themselves_eagerly(eager):
    model = Normed()
    y = model(BATCH, training=True)
    expected = (BATCH - [3, 30]) / np.sqrt(np.float32([14 / 3, 1400 / 3]) + 1e-3)
    np.testing.assert_allclose(y.numpy(), expected, rtol=1e-5)
    for v, wanted in zip(moving(model), MOVED, strict=True):
        close(v.numpy(), wanted)
    model(BATCH, training=False)
    close(model.norm.moving_mean.numpy(), MOVED[0])


def test_d22_averages_move_by_themselves_in_a_function(eager):
    model = Normed()
    model.call = tf.contrib.eager.defun(model.call)
    model(tf.constant(BATCH), training=True)
    for v, wanted in zip(moving(model), MOVED, strict=True):
        close(v.numpy(), wanted)


def test_d22_graphs_fetch_the_updates(graph):
    x, model = tf.placeholder(tf.float32, [None, 2]), Normed()
    y = model(x, training=True)
    updates = model.get_updates_for(x)
    later = model(x, training=False)
    assert len(updates) == 2 and model.get_updates_for(None) == []
    assert model.get_updates_for(tf.constant(0.0)) == []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run(y, {x: BATCH})
        assert not session.run(model.norm.moving_mean).any()
        session.run([y, updates], {x: BATCH})
        found = session.run(moving(model))
        for value, wanted in zip(found, MOVED, strict=True):
            close(value, wanted)
        expected = (BATCH - found[0]) / np.sqrt(found[1] + 1e-3)
        found = session.run(later, {x: BATCH})
    np.testing.assert_allclose(found, expected, rtol=1e-5)


# ------------------------------------------------------------------ D26
class MNIST_HighLevel(tf.keras.Model):
    def __init__(self, hidden_units, n_cls):
        super(MNIST_HighLevel, self).__init__()
        self.hidden_units = hidden_units
        self.n_cls = n_cls
        # input layer
        self.reshape_img = tf.keras.layers.Reshape([28, 28, 1], name="input_reshape")

        # conv1
        self.conv1 = tf.keras.layers.Conv2D(32, 5, padding="SAME", name="conv1")
        self.pool1 = tf.keras.layers.MaxPool2D(padding="SAME", name="conv1/pool")

        # conv2
        self.conv2 = tf.keras.layers.Conv2D(64, 5, padding="SAME", name="conv2")
        self.pool2 = tf.keras.layers.MaxPool2D(padding="SAME", name="conv2/pool")

        # reshape_conv
        self.reshape_conv = tf.keras.layers.Reshape([49, 64], name="conv_feat_reshape")

        # lstm
        self.lstm = tf.keras.layers.LSTM(units=self.hidden_units, use_bias=True)

        # output
        self.dense = tf.keras.layers.Dense(units=self.n_cls)

    def call(self, imgs):
        # reshape input
        imgs = self.reshape_img(imgs)

        # conv1 and pool
        conv_feat = self.conv1(imgs)
        conv_feat = self.pool1(conv_feat)

        # conv2 and pool
        conv_feat = self.conv2(conv_feat)
        conv_feat = self.pool2(conv_feat)

        # reshape
        conv_feat = self.reshape_conv(conv_feat)
        conv_feat = tf.transpose(conv_feat, perm=[0, 2, 1], name="conv_transpose")

        # lstm
        lstm_feat = self.lstm(conv_feat)

        # logits
        logits = self.dense(lstm_feat)

        return logits


DIGITS = [
    ("conv1/kernel", [5, 5, 1, 32]), ("conv1/bias", [32]),
    ("conv2/kernel", [5, 5, 32, 64]), ("conv2/bias", [64]),
    ("lstm/kernel", [49, 64]), ("lstm/recurrent_kernel", [16, 64]), ("lstm/bias", [64]),
    ("dense/kernel", [16, 10]), ("dense/bias", [10]),
]  # fmt: skip
LABELS = np.eye(10, dtype="f")[[3, 1, 4, 1]]
# TensorFlow 1.12 on these weights: logits, and the losses of four steps of Adam(0.01)
LOGITS = [0.48485315, -0.06722221, -0.40038747, -0.62223637]
LOSSES = [2.57138, 2.5679345, 2.294217, 2.259782]


def check_digits(model, logits, losses, step):
    name = "mnist__high_level"
    assert [v.name for v in model.variables] == [f"{name}/{n}:0" for n, _ in DIGITS]
    assert [v.shape.as_list() for v in model.variables] == [s for _, s in DIGITS]
    np.testing.assert_allclose(logits[0, :4], LOGITS, atol=2e-6)  # 1e5 products
    np.testing.assert_allclose(losses, LOSSES, rtol=1e-5)
    assert step == 4


def test_d26_the_digits_are_learned_eagerly(eager):
    images = tf.constant(np.abs(wave((4, 784), 1)))
    model, optimizer = MNIST_HighLevel(16, 10), tf.train.AdamOptimizer(0.01)
    step_counter = tf.train.get_or_create_global_step()
    model(images)
    for i, v in enumerate(model.variables):
        v.assign(wave(v.shape.as_list(), 10 + i))
    first, losses = model(images).numpy(), []
    for _ in range(4):
        with tf.GradientTape() as tape:
            logits = model(images)
            loss_value = tf.losses.softmax_cross_entropy(LABELS, logits)
        grads = tape.gradient(loss_value, model.variables)
        optimizer.apply_gradients(zip(grads, model.variables), global_step=step_counter)
        losses.append(loss_value.numpy())
    check_digits(model, first, losses, step_counter.numpy())


def test_d26_the_digits_are_learned_in_a_graph(graph):
    x = tf.placeholder(tf.float32, [None, 784])
    model, optimizer = MNIST_HighLevel(16, 10), tf.train.AdamOptimizer(0.01)
    step_counter = tf.train.get_or_create_global_step()
    logits = model(x)
    assert logits.shape.as_list() == [None, 10]
    loss = tf.losses.softmax_cross_entropy(LABELS, logits)
    train = optimizer.minimize(loss, step_counter, model.variables)
    feed = {x: np.abs(wave((4, 784), 1))}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for i, v in enumerate(model.variables):
            v.load(wave(v.shape.as_list(), 10 + i), session)
        first = session.run(logits, feed)
        losses = [session.run([loss, train], feed)[0] for _ in range(4)]
        check_digits(model, first, losses, session.run(step_counter))


# ------------------------------------------------------------------ D27
class Explicit(tf.keras.Model):
    def __init__(self):
        super(Explicit, self).__init__()
        self.hidden, self.rest = layers.Dense(3), {"out": [layers.Dense(1)]}

    def call(self, x):
        return self.rest["out"][0](self.hidden(x))


def test_d27_objects_hold_their_variables_eagerly(eager, tmp_path):
    model, x = Explicit(), tf.ones([2, 4])
    model(x)
    assert tf.global_variables() == [] and tf.trainable_variables() == []
    assert len(model.variables) == 4
    optimizer = tf.train.AdamOptimizer(0.1)
    optimizer.minimize(lambda: tf.reduce_sum(model(x) ** 2), var_list=model.variables)
    path = tf.train.Checkpoint(model=model).save(str(tmp_path / "ckpt"))
    other = Explicit()
    tf.train.Checkpoint(model=other).restore(path)
    np.testing.assert_array_equal(other(x).numpy(), model(x).numpy())


@pytest.mark.parametrize("collected", [True, False])
def test_d27_graphs_need_no_collections(graph, collected, tmp_path):
    model, x = Explicit(), tf.ones([2, 4])
    y = model(x)
    assert tf.trainable_variables() == model.variables  # they are there all the same
    if not collected:
        for name in graph.get_all_collection_keys():
            graph.clear_collection(name)
    optimizer = tf.train.AdamOptimizer(0.1)
    train = optimizer.minimize(tf.reduce_sum(y**2), var_list=model.variables)
    variables = model.variables + optimizer.variables()
    with tf.Session() as session:
        session.run(tf.variables_initializer(variables))
        before = session.run(y)
        session.run(train)
        after = session.run(y)
        assert (after != before).all()
        path = tf.train.Checkpoint(model=model).save(str(tmp_path / "c"), session)
        session.run(train)
        tf.train.Checkpoint(model=model).restore(path).run_restore_ops(session)
        np.testing.assert_array_equal(session.run(y), after)


def test_d27_two_models_share_nothing():
    def two():
        first, second = Explicit(), Explicit()
        first(tf.ones([1, 2])), second(tf.ones([1, 2]))
        ids = [{id(v) for v in m.variables} for m in (first, second)]
        assert not ids[0] & ids[1] and len(ids[0] | ids[1]) == 8
        return tf.constant(0)

    eagerly(two)
    with tf.Graph().as_default():
        two()
