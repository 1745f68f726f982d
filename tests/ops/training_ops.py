"""Three runs of each op that updates variables: what it makes of them.

Run with TensorFlow 1.12 this writes the golden file:
`TF112_PYTHON tests/ops/training_ops.py > tests/ops/training_ops.json`.
"""

import json
import re

import numpy as np

# type: (variable and slots, other inputs)
OPS = {
    "Adadelta": ("var accum accum_update", "lr rho epsilon grad"),
    "Adagrad": ("var accum", "lr grad"),
    "AdagradDA": (
        "var gradient_accumulator gradient_squared_accumulator",
        "grad lr l1 l2 global_step",
    ),
    "AdaMax": ("var m v", "beta1_power lr beta1 beta2 epsilon grad"),
    "AddSign": ("var m", "lr alpha sign_decay beta grad"),
    "CenteredRMSProp": ("var mg ms mom", "lr rho momentum epsilon grad"),
    "Ftrl": ("var accum linear", "grad lr l1 l2 lr_power"),
    "FtrlV2": ("var accum linear", "grad lr l1 l2 l2_shrinkage lr_power"),
    "Momentum": ("var accum", "lr grad momentum"),
    "PowerSign": ("var m", "lr logbase sign_decay beta grad"),
    "ProximalAdagrad": ("var accum", "lr l1 l2 grad"),
    "ProximalGradientDescent": ("var", "alpha l1 l2 delta"),
    "RMSProp": ("var ms mom", "lr rho momentum epsilon grad"),
}
DENSE_ONLY = ("AdaMax", "AddSign", "PowerSign")
NUMBERS = {
    "lr": 0.1, "alpha": 0.13, "l1": 0.01, "l2": 0.02, "rho": 0.9, "momentum": 0.8,
    "epsilon": 1e-6, "beta1_power": 0.9, "beta1": 0.9, "beta2": 0.99, "beta": 0.85,
    "sign_decay": 0.7, "logbase": 0.9, "lr_power": -0.5, "l2_shrinkage": 0.03,
}  # fmt: skip
ROWS = {"dense": None, "sparse": [2, 0, 1], "twice": [2, 0, 2]}


def cases():
    """(type, kind of gradient)"""
    for op in sorted(OPS):
        for kind in sorted(ROWS):
            if kind == "dense" or op not in DENSE_ONLY:
                yield op, kind


def starts(op):
    """What the variable and its slots start with."""
    rng = np.random.RandomState(3)
    for cell in OPS[op][0].split():
        a = rng.uniform(-1, 1, [3, 2])
        if cell not in ("var", "m", "mg", "mom", "linear"):
            a = abs(a) + 0.5
        yield a.astype("float32")


def updates(op, kind):
    """The inputs of each of three runs: {name: array}."""
    rows, inputs = ROWS[kind], OPS[op][1].split()
    rng = np.random.RandomState(5)
    for step in range(3):
        shape = [3, 2]  # fewer than the CPU takes at once, with approximate roots
        grad = rng.uniform(-1, 1, shape).astype("float32")
        given = {n: np.float32(NUMBERS[n]) for n in inputs if n in NUMBERS}
        name = "delta" if "delta" in inputs else "grad"
        given.update({name: grad, "global_step": np.int64(step + 1)})
        found = []
        for n in inputs:
            found.append(given[n])
            if n == name and rows is not None:
                found.append(np.array(rows))
        yield found


def op_type(op, kind, resource):
    """The type of the op."""
    sparse = "" if kind == "dense" else "Sparse"
    return "%s%sApply%s" % ("Resource" if resource else "", sparse, op)  # noqa: UP031


def in_graph(tf, make, op, kind, resource):
    """The values after the runs; `make(type, inputs)` makes a node."""
    with tf.Graph().as_default(), tf.Session() as sess:
        cells = [tf.Variable(a, use_resource=resource) for a in starts(op)]
        batches = list(updates(op, kind))
        inputs = [tf.placeholder(x.dtype, x.shape) for x in batches[0]]
        handles = [v.handle if resource else v for v in cells]
        node = make(op_type(op, kind, resource), handles + inputs)
        sess.run(tf.global_variables_initializer())
        for batch in batches:
            sess.run(node, dict(zip(inputs, batch)))
        return sess.run(cells)


def main():
    """Print the golden file."""
    import tensorflow as tf
    from tensorflow.python.training import gen_training_ops

    def make(kind, inputs):
        name = re.sub("([a-z])([A-Z])|([A-Z])([A-Z][a-z])", r"\1\3_\2\4", kind)
        return getattr(gen_training_ops, name.lower())(*inputs)

    lines = []
    for case in cases():
        found = [a.tolist() for a in in_graph(tf, make, *case, resource=True)]
        lines.append(json.dumps(" ".join(case)) + ": " + json.dumps(found))
    print("{\n" + ",\n".join(lines) + "\n}")


if __name__ == "__main__":
    main()
