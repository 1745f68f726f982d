"""Mistakes that users make: {name: (modes, program)}; `tf` and `np` are there.

Modes: e for eagerly, g for graphs, f for within a function that is called eagerly.
"""

MISTAKES = {
    "shapes of a product": ("egf", "tf.matmul(tf.ones([2, 3]), tf.ones([4, 4]))"),
    "shapes of a sum": ("egf", "tf.ones([2, 3]) + tf.ones([4])"),
    "dtypes of a sum": ("egf", "tf.constant(1) + tf.constant(1.0)"),
    "a float for integers": ("egf", "tf.constant([1, 2]) + 1.5"),
    "rows of different lengths": ("egf", "tf.constant([[1], [1, 2]])"),
    "None as a tensor": ("egf", "tf.constant(None)"),
    "None in a sum": ("egf", "tf.ones([2]) + None"),
    "a wrong axis": ("egf", "tf.reduce_sum(tf.ones([2]), axis=3)"),
    "a wrong size": ("egf", "tf.reshape(tf.ones([6]), [4, 2])"),
    "parts to join": ("egf", "tf.concat([tf.ones([2, 3]), tf.ones([2])], 0)"),
    "uneven parts": ("egf", "tf.split(tf.ones([5]), 2)"),
    "an unknown dtype": ("egf", "tf.cast(1.0, 'float33')"),
    "an unknown argument": ("egf", "tf.reduce_sum([1.0], axes=0)"),
    "a missing argument": ("egf", "tf.matmul(tf.ones([2, 2]))"),
    "an unknown name": ("egf", "tf.no_such_op(1.0)"),
    "an unknown name below": ("egf", "tf.nn.no_such_op(1.0)"),
    "an unknown name of contrib": ("egf", "tf.contrib.no_such_thing"),
    "labels as logits": (
        "egf",
        "tf.nn.softmax_cross_entropy_with_logits(tf.ones([2]), tf.ones([2]))",
    ),
    "channels": ("egf", "tf.layers.conv2d(tf.ones([2, 3]), 4, 3)"),
    "input of a layer": (
        "egf",
        "layer = tf.keras.layers.Dense(2)\nlayer(tf.ones([2, 3]))\n"
        "layer(tf.ones([2, 4]))",
    ),
    "an activation": ("egf", "tf.keras.layers.Dense(2, activation='nonsense')"),
    "a loss": (
        "eg",
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])\n"
        "model.compile('sgd', 'nonsense')",
    ),
    "an optimizer": (
        "eg",
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])\n"
        "model.compile('nonsense', 'mse')",
    ),
    "not compiled": (
        "eg",
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])\n"
        "model.fit(np.ones([4, 2]), np.ones([4, 1]))",
    ),
    "the data of fit": (
        "eg",
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])\n"
        "model.compile(tf.train.GradientDescentOptimizer(0.1), 'mse')\n"
        "model.fit(np.ones([4, 3]), np.ones([4, 1]), verbose=0)",
    ),
    "labels of another length": (
        "eg",
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])\n"
        "model.compile(tf.train.GradientDescentOptimizer(0.1), 'mse')\n"
        "model.fit(np.ones([4, 2]), np.ones([3, 1]), verbose=0)",
    ),
    "a model in a model's call": (
        "eg",
        "class Net(tf.keras.Model):\n"
        "    def call(self, x):\n"
        "        return tf.matmul(x, tf.ones([7, 7]))\n"
        "Net()(tf.ones([2, 3]))",
    ),
    "a model without super": (
        "eg",
        "class Net(tf.keras.Model):\n"
        "    def __init__(self):\n"
        "        self.d = tf.keras.layers.Dense(1)\n"
        "Net()",
    ),
    "a cell used again": (
        "g",
        "cell = tf.nn.rnn_cell.BasicLSTMCell(3)\nx = tf.ones([2, 4, 5])\n"
        "tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)\n"
        "with tf.variable_scope('b'):\n"
        "    tf.nn.dynamic_rnn(cell, tf.ones([2, 4, 6]), dtype=tf.float32)",
    ),
    "a variable made twice": (
        "g", "tf.get_variable('v', [2])\ntf.get_variable('v', [2])"
    ),
    "a layer made twice": (
        "g",
        "x = tf.ones([2, 3])\ntf.layers.dense(x, 2, name='d')\n"
        "tf.layers.dense(x, 2, name='d')",
    ),
    "a variable that is not there": (
        "g",
        "with tf.variable_scope('s', reuse=True):\n    tf.get_variable('v', [2])",
    ),
    "a variable without a value": (
        "g", "v = tf.Variable([1.0])\ntf.Session().run(v * 2.0)"
    ),
    "a feed that is missing": (
        "g", "x = tf.placeholder(tf.float32)\ntf.Session().run(x * 2.0)"
    ),
    "a feed of another shape": (
        "g",
        "x = tf.placeholder(tf.float32, [2])\n"
        "tf.Session().run(x * 2.0, {x: [1.0, 2.0, 3.0]})",
    ),
    "a feed of strings": (
        "g", "x = tf.placeholder(tf.float32, [2])\ntf.Session().run(x, {x: ['a', 'b']})"
    ),
    "a run that fails": (
        "g",
        "x = tf.placeholder(tf.float32, [None, None])\n"
        "tf.Session().run(tf.matmul(x, x), {x: [[1.0, 2.0]]})",
    ),
    "a fetch that is no tensor": ("g", "tf.ones([2])\ntf.Session().run(None)"),
    "a fetch by a wrong name": ("g", "tf.ones([2])\ntf.Session().run('nonsense:0')"),
    "a closed session": (
        "g", "x = tf.ones([2])\ns = tf.Session()\ns.close()\ns.run(x)"
    ),
    "no session": ("g", "tf.ones([2]).eval()"),
    "another graph": (
        "g",
        "with tf.Graph().as_default():\n    x = tf.ones([2])\ntf.ones([2]) + x",
    ),
    "a tensor as a condition": ("g", "if tf.constant(True):\n    pass"),
    "a tensor in a loop": ("g", "for x in tf.ones([2]):\n    pass"),
    "branches that differ": (
        "g",
        "tf.cond(tf.constant(True), lambda: tf.ones([2]), lambda: tf.constant(1))",
    ),
    "a body that changes a shape": (
        "g",
        "tf.while_loop(lambda x: True, lambda x: tf.concat([x, x], 0), [tf.ones([1])])",
    ),
    "no gradients": (
        "g",
        "v = tf.Variable(1.0)\n"
        "tf.train.GradientDescentOptimizer(0.1).minimize(tf.constant(1.0))",
    ),
    "no variables to save": ("g", "tf.train.Saver()"),
    "a checkpoint that is not there": (
        "g",
        "v = tf.Variable(1.0)\n"
        "tf.train.Saver().restore(tf.Session(), '/nowhere/m')",
    ),
    "a tape used twice": (
        "e",
        "x = tf.ones([2])\n"
        "with tf.GradientTape() as t:\n    t.watch(x)\n    y = x * x\n"
        "t.gradient(y, x)\nt.gradient(y, x)",
    ),
    "an index": ("egf", "tf.ones([2])[5]"),
    "an item to set": ("egf", "x = tf.ones([2])\nx[0] = 1.0"),
    "a placeholder": ("e", "tf.placeholder(tf.float32)"),
    "a map function": (
        "eg",
        "tf.data.Dataset.range(3).map(lambda x: tf.matmul(x, x))",
    ),
    "an element that fails": (
        "e",
        "for x in tf.data.Dataset.from_tensor_slices([1, 0]).map(\n"
        "    lambda x: tf.check_numerics(1.0 / tf.to_float(x), 'bad')):\n    pass",
    ),
    "data of different lengths": (
        "eg",
        "tf.data.Dataset.from_tensor_slices((np.ones([3]), np.ones([4])))",
    ),
    "a file that is not there": ("eg", "tf.gfile.GFile('/nowhere/a').read()"),
    "a py_func that fails": (
        "e", "tf.py_func(lambda x: x + 'a', [tf.ones([2])], tf.float32)"
    ),
    "metrics in eager mode": ("e", "tf.metrics.mean([1.0])"),
    "a device": ("g", "with tf.device('/gpu:7'):\n    x = tf.ones([2])\n"
                 "tf.Session().run(x)"),
}  # fmt: skip
