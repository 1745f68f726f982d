"""Makes layers.npz and layers.json: what TensorFlow 1.12 gives for the rows of layers.

Usage: $TF112_PYTHON tests/keras/make_layers.py [NAME OF A ROW ...]
"""

import json
import os
import runpy
import sys

import numpy as np
import tensorflow as tf

HERE = os.path.dirname(os.path.abspath(__file__))
SUPPORT = os.path.join(HERE, "..", "support")
TABLES = ("layer_rows", "layer_rows_recurrent", "layer_rows_scoped")


def run(name):
    """What a file of tests.support defines."""
    return runpy.run_path(os.path.join(SUPPORT, name + ".py"))


making = run("layer_making")


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


def called(layer, row, xs):
    """The outputs of a layer, a list; those of the library that is not there."""
    ys = making["called"](tf, layer, row, xs)
    if "cudnn" not in row[4]:
        return ys
    shapes = [y.shape for y in ys]
    ys = making["called"](tf, making["plain_of_cudnn"](tf, layer, row[1]), row, xs)
    for y, shape in zip(ys, shapes):
        y.set_shape(shape)
    return ys


def trained_once(session, layer, names, values, trained, grads):
    """Give the weights their values after a step of gradient descent."""
    by_name = dict(zip(names, values))
    for w, g in zip(trained, grads):
        by_name[w.name] = by_name[w.name] - 0.1 * g
    layer.set_weights([by_name[n] for n in names])


def described(row, layer, ys):
    """What a layer says of itself."""
    full = [tf.TensorShape(s) for s in making["dims_of"](row)]
    full = full[: making["own_inputs"](row)]
    try:
        shape = layer.compute_output_shape(full[0] if len(full) == 1 else full)
        shape = shape_text(shape)
    except (NotImplementedError, AttributeError):  # Bidirectional with states: a bug
        shape = None
    return {
        "config": without_code(plain(layer.get_config())),
        "weights": [[w.name, w.shape.as_list()] for w in layer.weights],
        "trainable": [w.name for w in layer.trainable_weights],
        "static": [shape_text(y.shape) for y in ys],
        "output_shape": shape,
        "updates": len(layer.updates),
    }


def without_code(config):
    """Settings without the code of functions, which differs between Pythons."""
    return {k: v for k, v in config.items() if k not in ("function", "module")}


def measured(row):
    """(arrays, facts) of one row."""
    arrays = making["inputs_of"](row)
    config = tf.ConfigProto(graph_options=tf.GraphOptions(place_pruned_graph=True))
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        tf.keras.backend.set_session(session)
        xs = making["fed"](tf, row)
        layer = making["made"](tf, row[1], row[2])
        ys = called(layer, row, xs)
        total = making["total_of"](tf, ys)
        trained = layer.trainable_weights
        slopes = tf.gradients(total, trained + [x for x in xs if x.dtype.is_floating])
        slopes = [0.0 if g is None else tf.convert_to_tensor(g) for g in slopes]
        names = [w.name for w in layer.weights]
        shapes = [w.shape.as_list() for w in layer.weights]
        values = making["weights_of"](shapes, names)
        session.run(tf.global_variables_initializer())
        layer.set_weights(values)
        feed = dict(zip(xs, arrays))
        outs, grads, losses = session.run([ys, slopes, layer.losses], feed)
        found = {"out%d" % i: y for i, y in enumerate(outs)}
        found.update({"grad%d" % i: g for i, g in enumerate(grads)})
        found["losses"] = np.asarray(losses, np.float32)
        if "batch" in row[4]:
            session.run(layer.updates, feed)
            again = session.run(ys, feed)
            found.update({"again%d" % i: y for i, y in enumerate(again)})
            layer.reset_states()
        trained_once(session, layer, names, values, trained, grads)
        found["after"] = session.run(total, feed)
        if layer.non_trainable_weights:
            session.run(layer.updates, feed)
            moved = session.run(layer.non_trainable_weights)
            found["moved"] = np.concatenate([v.ravel() for v in moved])
        return found, described(row, layer, ys)


def fitted(row):
    """The losses of two steps of a model that holds the layer; None where none fits."""
    arrays = making["inputs_of"](row)
    if not making["trains"](row):
        return None
    with tf.Graph().as_default(), tf.Session() as session:
        tf.keras.backend.set_session(session)
        xs = making["fed"](tf, row, True)
        layer = making["made"](tf, row[1], row[2])
        ys = making["called"](tf, layer, row, xs)
        if not layer.trainable_weights:
            return None
        model = tf.keras.Model(xs, ys)
        model.compile(tf.keras.optimizers.SGD(0.1), "mse")
        names = [w.name for w in layer.weights]
        shapes = [w.shape.as_list() for w in layer.weights]
        layer.set_weights(making["weights_of"](shapes, names))
        shapes = [y.shape for y in session.run(ys, dict(zip(xs, arrays)))]
        data = (arrays,) + making["targets_of"](shapes)
        steps = [model.train_on_batch(*data) for _ in range(2)]
        return np.asarray([np.ravel(s)[0] for s in steps], np.float32)


def main(only=()):
    """Write both files; with names of rows only show whether these can be made."""
    data, facts = [], {}
    tf.keras.utils.get_custom_objects().update(making["custom"](tf))
    for row in [row for name in TABLES for row in run(name)["ROWS"]]:
        if only and row[0] not in only:
            continue
        try:
            found, facts[row[0]] = measured(row)
            steps = fitted(row)
        except Exception as error:
            if not only:
                raise RuntimeError("row %s: %r" % (row[0], error))
            print("row %s: %r" % (row[0], error))
            continue
        if steps is not None:
            found["fitted"] = steps
        keys = sorted(found)
        facts[row[0]]["arrays"] = [[k, list(np.shape(found[k]))] for k in keys]
        data += [np.asarray(found[k], np.float32).ravel() for k in keys]
    if only:
        print(json.dumps(facts, indent=1))
        return
    path = os.path.join(HERE, "layers.npz")
    np.savez_compressed(path, data=np.concatenate(data))
    lines = ["%s: %s" % (json.dumps(k), json.dumps(v)) for k, v in facts.items()]
    with open(os.path.join(HERE, "layers.json"), "w") as f:
        f.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
