"""Five steps of each optimizer: what it makes of a variable and its slots.

Run with TensorFlow 1.12 this writes the golden file:
`TF112_PYTHON tests/train/optimizer_steps.py > tests/train/optimizer_steps.json`.
The tests run the same with twinflow in every mode.
"""

import json

import numpy as np

STEPS = 5
ROWS = [2, 0, 2]  # of sparse gradients: one comes twice
# name: (optimizer class, arguments); "STEP" stands for the global step
OPTIMIZERS = {
    "descent": ("GradientDescent", dict(learning_rate=0.125)),
    "momentum": ("Momentum", dict(learning_rate=0.1, momentum=0.9)),
    "nesterov": (
        "Momentum", dict(learning_rate=0.1, momentum=0.9, use_nesterov=True),
    ),
    "adam": ("Adam", dict(learning_rate=0.1)),
    "adam with numbers": (
        "Adam", dict(learning_rate=0.01, beta1=0.8, beta2=0.99, epsilon=1e-3),
    ),
    "adagrad": ("Adagrad", dict(learning_rate=0.1)),
    "adagrad from 1": (
        "Adagrad", dict(learning_rate=0.3, initial_accumulator_value=1.0),
    ),
    "adagrad da": ("AdagradDA", dict(learning_rate=0.1, global_step="STEP")),
    "adagrad da, l1 and l2": (
        "AdagradDA",
        dict(
            learning_rate=0.1, global_step="STEP", l1_regularization_strength=0.01,
            l2_regularization_strength=0.1,
            initial_gradient_squared_accumulator_value=0.5,
        ),
    ),
    "adadelta": ("Adadelta", dict(learning_rate=1.0)),
    "adadelta with numbers": (
        "Adadelta", dict(learning_rate=0.5, rho=0.8, epsilon=1e-4),
    ),
    "rmsprop": ("RMSProp", dict(learning_rate=0.1)),
    "rmsprop with momentum": (
        "RMSProp", dict(learning_rate=0.1, decay=0.8, momentum=0.7, epsilon=1e-3),
    ),
    "rmsprop, centered": (
        "RMSProp", dict(learning_rate=0.1, momentum=0.5, centered=True),
    ),
    "ftrl": ("Ftrl", dict(learning_rate=0.5)),
    "ftrl, l1 and l2": (
        "Ftrl",
        dict(
            learning_rate=0.5, l1_regularization_strength=0.01,
            l2_regularization_strength=0.1,
        ),
    ),
    "ftrl, shrinking": (
        "Ftrl",
        dict(
            learning_rate=0.5, l1_regularization_strength=0.01,
            l2_regularization_strength=0.1, l2_shrinkage_regularization_strength=0.2,
        ),
    ),
    "ftrl, another power": ("Ftrl", dict(learning_rate=0.5, learning_rate_power=-0.7)),
    "proximal": (
        "ProximalGradientDescent",
        dict(
            learning_rate=0.1, l1_regularization_strength=0.01,
            l2_regularization_strength=0.1,
        ),
    ),
    "proximal, plain": ("ProximalGradientDescent", dict(learning_rate=0.1)),
    "proximal adagrad": (
        "ProximalAdagrad",
        dict(
            learning_rate=0.1, l1_regularization_strength=0.01,
            l2_regularization_strength=0.1,
        ),
    ),
    "proximal adagrad, plain": ("ProximalAdagrad", dict(learning_rate=0.1)),
}  # fmt: skip


def optimizer(tf, name, step):
    """A new optimizer."""
    kind, given = OPTIMIZERS[name]
    given = {k: step if isinstance(v, str) else v for k, v in given.items()}
    return getattr(tf.train, kind + "Optimizer")(**given)


def start(dtype):
    """What the variable starts with."""
    return np.linspace(-1.0, 1.5, 6).reshape(3, 2).astype(dtype)


def slopes(dtype):
    """The gradients of the steps."""
    rng = np.random.RandomState(7)
    # fewer numbers than TensorFlow takes at once, with the CPU's approximate roots
    return rng.uniform(-1, 1, [STEPS, 3, 2]).astype(dtype)


def gradient(tf, value, sparse):
    """A gradient of a tensor of the values."""
    if not sparse:
        return value
    return tf.IndexedSlices(value, tf.constant(ROWS), tf.constant([3, 2]))


def in_graph(tf, name, dtype, sparse, resource):
    """The variable and the variables of the optimizer after the steps, in a graph."""
    with tf.Graph().as_default():
        step = tf.train.get_or_create_global_step()
        w = tf.get_variable("w", initializer=start(dtype), use_resource=resource)
        values = slopes(dtype)
        x = tf.placeholder(dtype, values.shape[1:])
        opt = optimizer(tf, name, step)
        train = opt.apply_gradients([(gradient(tf, x, sparse), w)], step)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for value in values:
                sess.run(train, {x: value})
            return _found(opt, w, sess.run)


def eagerly(tf, name, dtype, sparse, wrap=None):
    """The same eagerly; `wrap` makes the step a function."""
    step = tf.train.get_or_create_global_step()
    w = tf.contrib.eager.Variable(start(dtype), name="w")
    opt = optimizer(tf, name, step)

    def train(x):
        opt.apply_gradients([(gradient(tf, x, sparse), w)], step)

    train = wrap(train) if wrap else train
    for value in slopes(dtype):
        train(tf.constant(value))
    return _found(opt, w, lambda v: v.numpy())


def _found(opt, w, value):
    named = {v.name: value(v) for v in opt.variables()}
    return dict(named, value=value(w), slots=opt.get_slot_names())


def cases():
    """(key, arguments of the functions above)"""
    for name in sorted(OPTIMIZERS):
        for dtype in ("float32", "float64"):
            for sparse in (False, True):
                kind = "sparse" if sparse else "dense"
                key = " ".join((name, dtype, kind))
                yield key, (name, dtype, sparse)


def _plain(found):
    lists = {k: np.asarray(v).ravel().tolist() for k, v in sorted(found.items())}
    return {
        k: [repr(x) if isinstance(x, float) else x for x in lists[k]] for k in lists
    }


def main():
    """Print the golden file."""
    import tensorflow

    lines = []
    for key, case in cases():
        try:
            found = _plain(in_graph(tensorflow, *case, resource=True))
        except TypeError:  # it does not convert numbers for all of them to float64
            continue
        lines.append(json.dumps(key) + ": " + json.dumps(found, sort_keys=True))
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main()
