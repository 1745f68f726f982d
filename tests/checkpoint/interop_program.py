"""Programs for twinflow and both TensorFlows: what one writes, another reads.

Usage: `PYTHON tests/checkpoint/interop_program.py MODULE FUNCTION JSON`, which prints
what the function returns as JSON; MODULE is what serves as `tf`, as in
`tensorflow.compat.v1`. The tests call the same functions with twinflow. It runs under
Python 3.6 too.
"""

import importlib
import json
import sys

import numpy as np

X = np.linspace(-1, 1, 12).astype(np.float32).reshape(4, 3)
Y = np.float32([[1, 0], [0, 1], [1, 1], [0, 0]])
W = np.linspace(-0.5, 0.5, 6).astype(np.float32).reshape(3, 2)
OPTIMIZERS = {
    "adagrad": lambda tf: tf.train.AdagradOptimizer(0.1),
    "adam": lambda tf: tf.train.AdamOptimizer(0.1),
    "ftrl": lambda tf: tf.train.FtrlOptimizer(0.1),
    "momentum": lambda tf: tf.train.MomentumOptimizer(0.1, 0.9),
    "rmsprop": lambda tf: tf.train.RMSPropOptimizer(0.1, momentum=0.5, centered=True),
}


def loss(tf, w, b):
    return tf.reduce_mean(tf.square(tf.matmul(X, w) + b - Y))


def graph(tf, path, steps, start=None):
    """Training in a graph with a Saver; the values of all variables."""
    with tf.Graph().as_default(), tf.Session() as sess:
        updates = []
        for name, make in sorted(OPTIMIZERS.items()):
            with tf.variable_scope(name):
                w = tf.get_variable("w", initializer=W)
                b = tf.get_variable("b", initializer=np.zeros(2, np.float32))
                updates.append(make(tf).minimize(loss(tf, w, b), var_list=[w, b]))
        saver = tf.train.Saver()
        sess.run(tf.global_variables_initializer())
        if start:
            saver.restore(sess, start)
        for _ in range(steps):
            sess.run(updates)
        path = saver.save(sess, path)
        values = {v.op.name: sess.run(v).tolist() for v in tf.global_variables()}
        return [path, values]


def graph_part(tf, start):
    """Some variables of such a file, one under another name."""
    with tf.Graph().as_default(), tf.Session() as sess:
        names = {
            "adam/w": "kernel",
            "adam/adam/w/Adam_1": "second",
            "momentum/b": "bias",
        }
        found = {
            there: tf.get_variable(here, [3, 2] if there != "momentum/b" else [2])
            for there, here in names.items()
        }
        other = tf.get_variable("other", initializer=7.0)
        sess.run(tf.global_variables_initializer())
        tf.train.Saver(found).restore(sess, start)
        values = {there: sess.run(v).tolist() for there, v in found.items()}
        return [values, float(sess.run(other))]


def _objects(tf, names):
    parts = {}
    for name in names:
        w, b = tf.Variable(W), tf.Variable(np.zeros(2, np.float32))
        optimizer = OPTIMIZERS[name](tf)
        parts[name] = tf.train.Checkpoint(w=w, b=b, optimizer=optimizer)
    return parts


def _step(tf, part):
    with tf.GradientTape() as tape:
        y = loss(tf, part.w, part.b)
    grads = tape.gradient(y, [part.w, part.b])
    part.optimizer.apply_gradients(zip(grads, [part.w, part.b]))


def objects(tf, path, steps, start=None):
    """Eager training with a Checkpoint; the values of all variables and slots."""
    tf.enable_eager_execution()
    parts = _objects(tf, sorted(OPTIMIZERS))
    root = tf.train.Checkpoint(**parts)
    if start:
        status = root.restore(start)
    for _ in range(steps):
        for part in parts.values():
            _step(tf, part)
    if start:
        status.assert_consumed()
    values = {}
    for name, part in parts.items():
        for key in "wb":
            v = getattr(part, key)
            values[name + "/" + key] = v.numpy().tolist()
            for slot in part.optimizer.get_slot_names():
                held = part.optimizer.get_slot(v, slot).numpy().tolist()
                values["/".join([name, key, slot])] = held
    return [root.save(path), values]


def objects_part(tf, start):
    """A program that has only some of the objects, and one that has more."""
    tf.enable_eager_execution()
    parts = _objects(tf, ["adam"])
    root = tf.train.Checkpoint(**parts)
    status = root.restore(start)
    said = [_refused(status.assert_consumed)]
    _step(tf, parts["adam"])
    said.append(_refused(status.assert_existing_objects_matched))
    slot = parts["adam"].optimizer.get_slot(parts["adam"].w, "m")
    values = [parts["adam"].w.numpy().tolist(), slot.numpy().tolist()]
    more = tf.train.Checkpoint(
        adam=_objects(tf, ["adam"])["adam"], new=tf.Variable(3.0)
    )
    status = more.restore(start)
    said.append(_refused(status.assert_existing_objects_matched))
    return [said, values, float(more.new.numpy())]


def _refused(check):
    try:
        check()
    except AssertionError:
        return True
    return False


def keras(tf, path, steps, start=None):
    """A Keras model with moving statistics, trained by hand, in a Checkpoint."""
    tf.enable_eager_execution()
    layers = tf.keras.layers

    class Model(tf.keras.Model):
        def __init__(self):
            super(Model, self).__init__()  # noqa: UP008 - 3.6
            start = tf.constant_initializer(W)  # no bias: its slope is 0 but for noise
            self.hidden = layers.Dense(2, use_bias=False, kernel_initializer=start)
            self.norm = layers.BatchNormalization()
            self.blocks = [layers.Dense(2, kernel_initializer="ones")]

        def call(self, x, training=False):
            return self.blocks[0](self.norm(self.hidden(x), training=training))

    model, optimizer = Model(), tf.train.AdamOptimizer(0.1)
    root = tf.train.Checkpoint(
        model=model, optimizer=optimizer, step=tf.train.get_or_create_global_step()
    )
    if start:
        status = root.restore(start)
    x = tf.constant(np.sin(9 * X * X))  # not on a line, where the norm leaves no slope
    for _ in range(steps):
        with tf.GradientTape() as tape:
            y = tf.reduce_mean(tf.square(model(x, training=True) - Y))
        grads = tape.gradient(y, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables), root.step)
    if start:
        status.assert_consumed()
    values = [v.numpy().tolist() for v in model.variables]
    return [root.save(path), values + [int(root.step.numpy())]]


def summaries(tf, path):
    """Two steps of every kind of summary, and the graph, in one event file."""
    with tf.Graph().as_default() as g, tf.Session() as sess:
        x = tf.placeholder(tf.float32, [6], name="x")
        tf.summary.scalar("loss", tf.reduce_sum(x))
        tf.summary.histogram("values", x)
        tf.summary.image("picture", tf.reshape(x, [1, 2, 3, 1]) / 9)
        tf.summary.audio("sound", tf.reshape(x, [1, 6, 1]) / 9, 8000)
        tf.summary.text("words", tf.as_string(tf.cast(x[:2], tf.int32)))
        merged = tf.summary.merge_all()
        writer = tf.summary.FileWriter(path, g)
        for step in (1, 2):
            writer.add_summary(sess.run(merged, {x: np.arange(6.0) * step}), step)
        writer.close()


def _value(tf, sess, v):
    kind = v.WhichOneof("value")
    if kind == "simple_value":
        return v.simple_value
    if kind == "histo":
        h = v.histo
        full = [[a, b] for a, b in zip(h.bucket_limit, h.bucket) if b]
        return [h.min, h.max, h.num, h.sum, h.sum_squares, full]
    if kind == "image":
        png = sess.run(tf.image.decode_png(v.image.encoded_image_string))
        return [v.image.height, v.image.width, v.image.colorspace, png.tolist()]
    if kind == "audio":
        a = v.audio
        wave = np.frombuffer(a.encoded_audio_string[44:], "<i2").tolist()
        parts = [a.sample_rate, a.num_channels, a.length_frames, a.content_type]
        return [*parts, wave]
    return [
        [s.decode() for s in v.tensor.string_val],
        v.metadata.plugin_data.plugin_name,
    ]


def events(tf, path):
    """What an event file holds: [step, tag, kind, value] and the ops of its graphs."""
    found, ops = [], []
    with tf.Graph().as_default(), tf.Session() as sess:
        for event in tf.train.summary_iterator(path):
            if event.graph_def:
                graph = tf.GraphDef.FromString(event.graph_def)
                ops.append([n.op for n in graph.node if n.name in ("x", "loss")])
            for v in event.summary.value:
                kind = v.WhichOneof("value")
                found.append([event.step, v.tag, kind, _value(tf, sess, v)])
    return [found, ops]


if __name__ == "__main__":
    program = globals()[sys.argv[2]]
    found = program(importlib.import_module(sys.argv[1]), **json.loads(sys.argv[3]))
    print(json.dumps(found))
