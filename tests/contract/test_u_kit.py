"""Contract U04-U07: one training in both modes, deployment, scripts, debugging."""

import io
import os
import pdb
import subprocess
import sys
import traceback

import numpy as np
import pytest

import twinflow as tf
from tests.contract.test_u_workflow import Net, build_inputs, train
from tests.modes import eager, eagerly, graph
from tests.source_tree import ROOT

__all__ = ["eager", "graph"]

tfe = tf.contrib.eager


# ------------------------------------------------------------------ U04
@pytest.fixture
def codebase(monkeypatch):
    """The modules of examples/codebase, by name."""
    names = ["data", "model", "train", "main"]
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "codebase"))
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield lambda name: __import__(name)
    for name in names:
        sys.modules.pop(name, None)


def epochs(codebase, mode, folder, count):
    """The losses of some epochs of examples/codebase, which go on from the last ones.

    Model, data and step are those of the example; the optimizer is Adam, whose slots
    and powers come along in the checkpoint.
    """
    main, losses = codebase("main"), []

    def parts():
        tf.set_random_seed(1)
        model, optimizer = codebase("model").Model(8, 3), tf.train.AdamOptimizer(0.02)
        saved = tfe.Checkpoint(model=model, optimizer=optimizer)
        last = tf.train.latest_checkpoint(folder)
        return model, optimizer, codebase("data").build_inputs(60, 20), saved, last

    def eagerly_trained():
        model, optimizer, dataset, saved, last = parts()
        saved.restore(last)
        losses.extend(main.run_eagerly(model, optimizer, dataset, count))
        saved.save(f"{folder}/ckpt")
        return ()

    if mode == "eager":
        eagerly(eagerly_trained)
        return losses
    with tf.Graph().as_default(), tf.Session() as sess:
        model, optimizer, dataset, saved, last = parts()
        iterator = dataset.make_initializable_iterator()
        step = main.train(model, optimizer, *iterator.get_next())
        saved.restore(last).initialize_or_restore(sess)
        losses.extend(main.run_graph(sess, iterator, *step, count))
        saved.save(f"{folder}/ckpt", session=sess)
    return losses


@pytest.mark.parametrize("modes", [
    ("eager", "graph"), ("graph", "eager"), ("eager", "graph", "eager")
])  # fmt: skip
def test_u04_one_curve_over_a_change_of_the_mode(codebase, tmp_path, modes):
    count = len(modes)
    alone = epochs(codebase, "eager", str(tmp_path / "alone"), 2 * count)
    folder = str(tmp_path / "both")
    curve = [x for mode in modes for x in epochs(codebase, mode, folder, 2)]
    assert len(curve) == len(alone) == 6 * count
    np.testing.assert_allclose(curve, alone, rtol=2e-5)
    assert alone[-1] < alone[0]


def test_u04_the_curve_breaks_without_the_slots(codebase, tmp_path):
    """What the test above would miss if the slots stayed behind."""
    alone = epochs(codebase, "eager", str(tmp_path / "alone"), 4)
    first = epochs(codebase, "eager", str(tmp_path / "both"), 2)
    path = tf.train.latest_checkpoint(str(tmp_path / "both"))
    with tf.Graph().as_default(), tf.Session() as sess:
        model, optimizer = codebase("model").Model(8, 3), tf.train.AdamOptimizer(0.02)
        iterator = codebase("data").build_inputs(60, 20).make_initializable_iterator()
        step = codebase("main").train(model, optimizer, *iterator.get_next())
        tfe.Checkpoint(model=model).restore(path).run_restore_ops(sess)
        sess.run(tf.variables_initializer(optimizer.variables()))
        rest = list(codebase("main").run_graph(sess, iterator, *step, 2))
    np.testing.assert_allclose(first + rest[:1], alone[:7], rtol=2e-5)
    assert abs(rest[-1] - alone[-1]) > 1e-3


# ------------------------------------------------------------------ U05
@pytest.mark.parametrize("looked_at", [False, True])
def test_u05_written_eagerly_and_deployed_as_a_graph(tmp_path, looked_at):
    x = np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2)
    wanted, seen = [], []

    def write():
        model, optimizer = Net(), tf.train.AdamOptimizer(0.05)
        for inputs, labels in build_inputs():
            loss, _ = train(model, optimizer, inputs, labels)
            seen.append(float(loss)) if looked_at else None
        tfe.Checkpoint(model=model).save(str(tmp_path / "ckpt"))
        wanted.append(model(tf.constant(x)).numpy())
        return ()

    eagerly(write)
    with tf.Graph().as_default(), tf.Session() as sess:
        model, inputs = Net(), tf.placeholder(tf.float32, [None, 2])
        outputs = model(inputs)
        last = tf.train.latest_checkpoint(str(tmp_path))
        tfe.Checkpoint(model=model).restore(last).run_restore_ops(sess)
        folder = str(tmp_path / "served")
        tf.saved_model.simple_save(sess, folder, {"x": inputs}, {"y": outputs})
    with tf.Graph().as_default(), tf.Session() as sess:
        meta = tf.saved_model.loader.load(sess, ["serve"], folder)
        signature = meta.signature_def["serving_default"]
        feeds = {signature.inputs["x"].name: x}
        found = sess.run(signature.outputs["y"].name, feeds)
    np.testing.assert_allclose(found, wanted[0], rtol=1e-6)
    assert len(seen) == (3 if looked_at else 0)


# ------------------------------------------------------------------ U06
SIGAI = """
import os, sys
sys.path.insert(0, {example!r})
import tensorflow as tf
import records

folder, steps = sys.argv[1], []
path = os.path.join(folder, "train.tfrecords")
if not os.path.exists(path):
    os.makedirs(folder)
    records.write(path, 48)
"""

EAGER = (
    SIGAI
    + """
tf.enable_eager_execution()
tfe = tf.contrib.eager
tf.set_random_seed(1)

class MNIST_HighLevel(tf.keras.Model):
    def __init__(self, hidden_units, n_cls):
        super(MNIST_HighLevel, self).__init__()
        self.reshape_img = tf.keras.layers.Reshape([28, 28, 1], name="input_reshape")
        self.conv1 = tf.keras.layers.Conv2D(4, 5, padding='SAME', name='conv1')
        self.pool1 = tf.keras.layers.MaxPool2D(padding='SAME', name='conv1/pool')
        self.conv2 = tf.keras.layers.Conv2D(8, 5, padding='SAME', name='conv2')
        self.pool2 = tf.keras.layers.MaxPool2D(padding='SAME', name='conv2/pool')
        self.reshape_conv = tf.keras.layers.Reshape([49, 8], name='conv_feat_reshape')
        self.lstm = tf.keras.layers.LSTM(units=hidden_units, use_bias=True)
        self.dense = tf.keras.layers.Dense(units=n_cls)

    def call(self, imgs):
        imgs = self.reshape_img(imgs)
        conv_feat = self.pool1(self.conv1(imgs))
        conv_feat = self.pool2(self.conv2(conv_feat))
        conv_feat = self.reshape_conv(conv_feat)
        conv_feat = tf.transpose(conv_feat, perm=[0, 2, 1], name="conv_transpose")
        return self.dense(self.lstm(conv_feat))

model, optimizer = MNIST_HighLevel(8, 10), tf.train.AdamOptimizer(0.001)
step_counter = tf.train.get_or_create_global_step()
checkpoint = tf.train.Checkpoint(
    model=model, optimizer=optimizer, step_counter=step_counter)
checkpoint.restore(tf.train.latest_checkpoint(folder))
summary_writer = tf.contrib.summary.create_file_writer(folder, flush_millis=10000)
acc_metrics = tfe.metrics.Accuracy('batch_accuracy')
with summary_writer.as_default():
    dataset = records.dataset(path, 16)
    for (batch, (images, labels)) in enumerate(dataset):
        with tf.contrib.summary.record_summaries_every_n_global_steps(
            2, global_step=step_counter):
          with tf.GradientTape() as tape:
            logits = model(images)
            loss_value = tf.losses.softmax_cross_entropy(labels, logits)
            acc_metrics(
                labels=tf.argmax(labels, axis=1),
                predictions=tf.argmax(logits, axis=1))
            tf.contrib.summary.scalar('loss', loss_value)
            tf.contrib.summary.scalar('accuracy', acc_metrics.result().numpy())
          grads = tape.gradient(loss_value, model.variables)
          optimizer.apply_gradients(
              zip(grads, model.variables), global_step=step_counter)
checkpoint.save(os.path.join(folder, 'ckpt'))
print('step %d loss %.4f variables %d' % (
    step_counter, loss_value, len(model.variables)))
"""
)

LOW_LEVEL = (
    SIGAI
    + """
tf.set_random_seed(1)
iterator = records.dataset(path, 16).make_initializable_iterator()
images, labels = iterator.get_next()

def conv(name, x, n_in, n_out):
    with tf.variable_scope(name):
        w = tf.get_variable('w', [5, 5, n_in, n_out])
        b = tf.get_variable('b', [n_out], initializer=tf.zeros_initializer())
        x = tf.nn.bias_add(tf.nn.conv2d(x, w, [1, 1, 1, 1], 'SAME'), b)
        return tf.nn.max_pool(x, [1, 2, 2, 1], [1, 2, 2, 1], 'SAME')

feat = conv('conv2', conv('conv1', tf.reshape(images, [-1, 28, 28, 1]), 1, 4), 4, 8)
feat = tf.transpose(tf.reshape(feat, [-1, 49, 8]), [0, 2, 1])
outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(8), feat, dtype=tf.float32)
with tf.variable_scope('dense'):
    w = tf.get_variable('w', [8, 10])
    b = tf.get_variable('b', [10], initializer=tf.zeros_initializer())
logits = tf.nn.xw_plus_b(outputs[:, -1, :], w, b)
loss = tf.losses.softmax_cross_entropy(labels, logits)
right = tf.equal(tf.argmax(labels, 1), tf.argmax(logits, 1))
accuracy = tf.reduce_mean(tf.cast(right, tf.float32))
global_step = tf.train.get_or_create_global_step()
train_op = tf.train.AdamOptimizer(0.001).minimize(loss, global_step=global_step)
tf.summary.scalar('loss', loss)
tf.summary.scalar('accuracy', accuracy)
merged, saver = tf.summary.merge_all(), tf.train.Saver()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    ckpt = tf.train.get_checkpoint_state(folder)
    if ckpt and ckpt.model_checkpoint_path:
        saver.restore(sess, ckpt.model_checkpoint_path)
    writer = tf.summary.FileWriter(folder, sess.graph)
    sess.run(iterator.initializer)
    try:
        while True:
            _, value, summary, step = sess.run([train_op, loss, merged, global_step])
            writer.add_summary(summary, step)
    except tf.errors.OutOfRangeError:
        pass
    step = sess.run(global_step)
    saver.save(sess, os.path.join(folder, 'model.ckpt'), global_step=global_step)
    writer.close()
    print('step %d loss %.4f variables %d' % (
        step, value, len(tf.trainable_variables())))
"""
)


@pytest.mark.parametrize("source, more, count", [
    (EAGER, {"cond/batch_accuracy"}, "9"), (LOW_LEVEL, set(), "8")
], ids=["eager", "low_level"])  # fmt: skip
def test_u06_the_scripts_run_unmodified_and_go_on(tmp_path, source, more, count):
    script, folder = tmp_path / "mnist.py", tmp_path / "mnist"
    example = str(ROOT / "examples" / "lstm_digits")
    script.write_text(source.replace("{example!r}", repr(example)))
    command = [sys.executable, "-m", "twinflow", "run", str(script), str(folder)]
    out = [
        subprocess.run(
            command, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True,
            capture_output=True, text=True, timeout=120,
        ).stdout
        for _ in range(2)
    ]  # fmt: skip
    assert [text.split()[1] for text in out] == ["3", "6"]
    assert all(text.split()[-1] == count for text in out)  # variables
    tags = {
        value.tag
        for path in folder.glob("events*")
        for event in tf.train.summary_iterator(str(path))
        for value in event.summary.value
    }
    assert tags == {"loss", "accuracy"} | more  # a metric writes its result as well


# ------------------------------------------------------------------ U07
class Looked(Net):
    """A model with a break point inside."""

    debugger = None

    def call(self, inputs):
        x = self.hidden(inputs)
        if self.debugger is not None:
            self.debugger.set_trace()
        return self.out(x)


def debugged(commands):
    """What Python's debugger says to commands at the break point of a model."""
    said, model = io.StringIO(), Looked()
    text = "\n".join([*commands, "continue", ""])
    model.debugger = pdb.Pdb(stdin=io.StringIO(text), stdout=said, nosigint=True)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.ones([1, 2])))
    sys.settrace(None)
    return said.getvalue(), tape.gradient(loss, model.variables)


def test_u07_pythons_debugger_stops_in_eager_code(eager):
    said, grads = debugged([
        "p x.numpy().shape", "p float(tf.reduce_sum(x)) > 0", "p type(self).__name__",
        "up", "p __name__", "down", "step", "where",
    ])  # fmt: skip
    assert "(1, 4)" in said and "True" in said and "'Looked'" in said
    assert "twinflow.keras" in said  # the frames of the framework can be looked at
    assert len(grads) == 4 and all(np.isfinite(g.numpy()).all() for g in grads)


def test_u07_the_debugger_sees_symbols_while_a_graph_is_made(graph):
    said, _ = debugged(["p x.shape.as_list()", "p x.op.type"])
    assert "[None, 4]" in said or "[1, 4]" in said
    assert "'Tanh'" in said


def test_u07_post_mortem_ends_at_the_line_of_the_fault(eager):
    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))  # here
    frames = traceback.extract_tb(raised.value.__traceback__)
    assert frames[0].line.endswith("# here")
    assert "Matrix size-incompatible" in str(raised.value)


def test_u07_an_error_of_a_graph_names_the_line_that_made_the_node(graph):
    x = tf.placeholder(tf.float32, [2, None])
    y = tf.matmul(x, tf.ones([3, 1]))
    line = sys._getframe().f_lineno - 1
    with tf.Session() as sess, pytest.raises(tf.errors.InvalidArgumentError) as raised:
        sess.run(y, {x: np.ones([2, 2])})
    assert f"{os.path.basename(__file__)}:{line})" in str(raised.value)
