"""Makes layers.npz and layers.json: what TensorFlow 1.12 gives for testing.layer_rows.

Usage: $TF112_PYTHON tests/keras/make_layers.py
"""

import json
import os
import runpy

import numpy as np
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = os.path.join(HERE, "..", "..", "twinflow", "testing", "layer_rows.py")


def plain(x):
    """A value as JSON holds it."""
    if isinstance(x, (list, tuple)):
        return [plain(v) for v in x]
    if isinstance(x, dict):
        return {k: plain(v) for k, v in x.items()}
    return x.tolist() if isinstance(x, (np.generic, np.ndarray)) else x


def shape_text(shape):
    """Shapes as lists."""
    if isinstance(shape, list):
        return [shape_text(s) for s in shape]
    return tf.TensorShape(shape).as_list()


def called(table, row, layer, xs):
    """The outputs of a layer, a list."""
    call = {"training": row[4]["training"]} if "training" in row[4] else {}
    if row[1] == "LSTM" and len(xs) > 1:
        call["initial_state"], xs = xs[1:], xs[:1]
    ys = layer(xs[0] if len(xs) == 1 else xs, **call)
    return ys if isinstance(ys, list) else [ys]


def trained_once(session, layer, names, values, trained, grads):
    """Give the weights their values after a step of gradient descent."""
    by_name = dict(zip(names, values))
    for w, g in zip(trained, grads):
        by_name[w.name] = by_name[w.name] - 0.1 * g
    layer.set_weights([by_name[n] for n in names])


def described(row, layer, ys):
    """What a layer says of itself."""
    full = [tf.TensorShape([None] + list(s)) for s in row[3]]
    full = full[:1] if row[1] == "LSTM" else full
    shape = layer.compute_output_shape(full[0] if len(full) == 1 else full)
    return {
        "config": plain(layer.get_config()),
        "weights": [[w.name, w.shape.as_list()] for w in layer.weights],
        "trainable": [w.name for w in layer.trainable_weights],
        "static": [shape_text(y.shape) for y in ys],
        "output_shape": shape_text(shape),
        "updates": len(layer.updates),
    }


def measured(table, row):
    """(arrays, facts) of one row."""
    arrays = table["inputs_of"](row)
    with tf.Graph().as_default(), tf.Session() as session:
        tf.keras.backend.set_session(session)
        xs = [tf.placeholder(a.dtype, (None,) + a.shape[1:]) for a in arrays]
        layer = table["made"](tf.keras.layers, row[1], row[2])
        ys = called(table, row, layer, xs)
        total = tf.add_n([tf.reduce_sum(y * y + y) for y in ys])
        trained = layer.trainable_weights
        slopes = tf.gradients(total, trained + [x for x in xs if x.dtype.is_floating])
        slopes = [0.0 if g is None else tf.convert_to_tensor(g) for g in slopes]
        names = [w.name for w in layer.weights]
        values = table["weights_of"]([w.shape.as_list() for w in layer.weights], names)
        session.run(tf.global_variables_initializer())
        layer.set_weights(values)
        feed = dict(zip(xs, arrays))
        outs, grads, losses = session.run([ys, slopes, layer.losses], feed)
        trained_once(session, layer, names, values, trained, grads)
        found = {"out%d" % i: y for i, y in enumerate(outs)}
        found.update({"grad%d" % i: g for i, g in enumerate(grads)})
        found["losses"] = np.asarray(losses, np.float32)
        found["after"] = session.run(total, feed)
        if layer.updates:
            session.run(layer.updates, feed)
            moved = session.run(layer.non_trainable_weights)
            found["moved"] = np.concatenate([v.ravel() for v in moved])
        return found, described(row, layer, ys)


def main():
    """Write both files."""
    table = runpy.run_path(ROWS)
    data, facts = [], {}
    for row in table["ROWS"]:
        try:
            found, facts[row[0]] = measured(table, row)
        except Exception as error:
            raise RuntimeError("row %s: %r" % (row[0], error))
        keys = sorted(found)
        facts[row[0]]["arrays"] = [[k, list(np.shape(found[k]))] for k in keys]
        data += [np.asarray(found[k], np.float32).ravel() for k in keys]
    path = os.path.join(HERE, "layers.npz")
    np.savez_compressed(path, data=np.concatenate(data))
    lines = ["%s: %s" % (json.dumps(k), json.dumps(v)) for k, v in facts.items()]
    with open(os.path.join(HERE, "layers.json"), "w") as f:
        f.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
