"""Models whose parameters and operations are counted, here and in TensorFlow 1.12.

`TF112_PYTHON tests/profiler/models.py > tests/profiler/counts.json` makes the numbers.
"""

import json
import os

TYPES = (  # whose operations are counted: those that both have in a model's graph
    "MatMul", "Conv2D", "BiasAdd", "MaxPool", "AvgPool", "DepthwiseConv2dNative",
    "L2Loss", "Softmax", "Conv2DBackpropInput", "Conv2DBackpropFilter", "BiasAddGrad",
    "MaxPoolGrad", "ArgMax", "Square", "RsqrtGrad",
)  # fmt: skip


def resnet(tf):
    images = tf.placeholder(tf.float32, [2, 16, 16, 3], name="images")
    h = images * tf.get_variable("scale", [3])
    h = tf.layers.conv2d(h, 8, 3, padding="same", use_bias=False, name="stem")
    for i, width in enumerate((8, 16)):
        for j in range(2):
            with tf.variable_scope(f"block{i}_{j}"):
                h = _block(tf, h, width, 2 if i > j else 1)
    logits = tf.layers.dense(tf.reduce_mean(h, [1, 2]), 10, name="logits")
    labels = tf.constant([1, 2])
    loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
    return tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)


def _block(tf, h, width, stride):
    y = tf.nn.relu(tf.layers.batch_normalization(h, training=True, name="norm1"))
    if stride > 1:
        h = tf.layers.conv2d(y, width, 1, stride, name="short")
    y = tf.layers.conv2d(y, width, 3, stride, padding="same", name="conv1")
    y = tf.nn.relu(tf.layers.batch_normalization(y, training=True, name="norm2"))
    return h + tf.layers.conv2d(y, width, 3, padding="same", name="conv2")


def lstm(tf):
    x = tf.placeholder(tf.float32, [4, 7, 5], name="x")
    cells = [tf.nn.rnn_cell.LSTMCell(6), tf.nn.rnn_cell.GRUCell(3)]
    cell = tf.nn.rnn_cell.MultiRNNCell(cells)
    steps = tf.unstack(x, axis=1)
    outputs, _ = tf.nn.static_rnn(cell, steps, dtype=tf.float32)
    return tf.reduce_mean(tf.square(tf.stack(outputs)))


def dynamic(tf):
    x = tf.placeholder(tf.float32, [4, 7, 5], name="x")
    outputs, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.LSTMCell(6), x, dtype=tf.float32)
    return tf.reduce_mean(outputs)


def keras(tf):
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Conv2D(4, 3, activation="relu", input_shape=(12, 12, 1)),
            layers.MaxPooling2D(), layers.DepthwiseConv2D(3), layers.Flatten(),
            layers.Dense(10, activation="softmax"),
        ]
    )  # fmt: skip
    return model(tf.ones([2, 12, 12, 1]))


MODELS = {"resnet": resnet, "lstm": lstm, "dynamic": dynamic, "keras": keras}


def counts(tf, name):
    """What a profile of a model says: of parameters by name, of operations by type."""
    with tf.Graph().as_default() as graph:
        MODELS[name](tf)
        builder = tf.profiler.ProfileOptionBuilder
        options = builder(builder.trainable_variables_parameter())
        found = tf.profiler.profile(graph, options=options.with_empty_output().build())
        sizes = {}
        _add_sizes(found, sizes)
        options = builder(builder.float_operation()).with_empty_output()
        chain = tf.profiler.profile(graph, cmd="op", options=options.build())
        flops = {}
        while chain.children:
            chain = chain.children[0]
            if chain.name in TYPES:
                flops[chain.name] = chain.float_ops
    return {"total": found.total_parameters, "sizes": sizes, "flops": flops}


def _add_sizes(node, sizes):
    if node.parameters:
        sizes[node.name] = node.parameters
    for child in node.children:
        _add_sizes(child, sizes)


if __name__ == "__main__":
    import tensorflow

    stdout = os.dup(1)
    os.dup2(2, 1)
    made = {name: counts(tensorflow, name) for name in MODELS}
    with os.fdopen(stdout, "w") as file:
        json.dump(made, file, indent=1, sort_keys=True)
        file.write("\n")
