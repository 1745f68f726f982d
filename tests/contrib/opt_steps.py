"""Three steps of the optimizers of tf.contrib: what they make of a variable.

Run with TensorFlow 1.12 this writes the golden file:
`TF112_PYTHON tests/contrib/opt_steps.py > tests/contrib/opt_steps.json`.
"""

import json

import numpy as np

STEPS = 3
START = [[1.0, -2.0], [3.0, 4.0], [5.0, 6.0]]
SLOPES = [[0.1, -0.2], [0.3, 0.4], [0.1, 0.2]]
ROWS = [2, 0, 2]  # of sparse gradients: one comes twice
OPTIMIZERS = {
    "opt.AdaMax": dict(learning_rate=0.1),
    "opt.AddSign": dict(learning_rate=0.1, alpha=0.5),
    "opt.PowerSign": dict(learning_rate=0.1, base=2.0),
    "opt.LARS": dict(learning_rate=0.1, eeta=0.5),
    "opt.RegAdagrad": dict(learning_rate=0.1),
    "opt.Shampoo": dict(gbar_decay=0.5, mat_gbar_decay=0.9, epsilon=0.1),
    "optimizer_v2.Adadelta": dict(learning_rate=0.5),
    "optimizer_v2.Adagrad": dict(learning_rate=0.1),
    "optimizer_v2.Adam": dict(learning_rate=0.1),
    "optimizer_v2.GradientDescent": dict(learning_rate=0.1),
    "optimizer_v2.Momentum": dict(learning_rate=0.1, momentum=0.9),
    "optimizer_v2.RMSProp": dict(learning_rate=0.1, momentum=0.5, epsilon=1e-3),
}
DENSE_ONLY = ("opt.LARS",)


def optimizer(tf, name):
    """A new optimizer."""
    package, kind = name.split(".")
    return getattr(getattr(tf.contrib, package), kind + "Optimizer")(**OPTIMIZERS[name])


def gradient(tf, sparse):
    """The gradient of each step."""
    value = tf.constant(SLOPES)
    if not sparse:
        return value
    return tf.IndexedSlices(value, tf.constant(ROWS), tf.constant([3, 2]))


def in_graph(tf, name, sparse, resource=False):
    """The variables after the steps, in a graph."""
    with tf.Graph().as_default(), tf.Session() as sess:
        w = tf.get_variable("w", initializer=tf.constant(START), use_resource=resource)
        opt = optimizer(tf, name)
        train = opt.apply_gradients([(gradient(tf, sparse), w)])
        sess.run(tf.global_variables_initializer())
        for _ in range(STEPS):
            sess.run(train)
        return {v.name: sess.run(v) for v in [w, *opt.variables()]}


def eagerly(tf, name, sparse):
    """The same eagerly."""
    w = tf.contrib.eager.Variable(START, name="w")
    opt = optimizer(tf, name)
    for _ in range(STEPS):
        opt.apply_gradients([(gradient(tf, sparse), w)])
    return {v.name: v.numpy() for v in [w, *opt.variables()]}


def cases():
    """(key, arguments of the functions above)"""
    for name in sorted(OPTIMIZERS):
        for sparse in (False, True):
            if not (sparse and name in DENSE_ONLY):
                yield name + (" sparse" if sparse else " dense"), (name, sparse)


def plain(found):
    """The values as lists."""
    return {k: np.asarray(v).ravel().tolist() for k, v in sorted(found.items())}


def main():
    """Print the golden file."""
    import tensorflow

    lines = []
    for key, case in cases():
        found = plain(in_graph(tensorflow, *case))
        lines.append(json.dumps(key) + ": " + json.dumps(found, sort_keys=True))
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main()
