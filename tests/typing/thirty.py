"""Thirty mistakes that people made, what finds each of them, and the words it says.

A row is (title, checker, words, program). The checkers are "pyright" and "mypy", which
know the annotations of twinflow, and "check", which is `twinflow check`. Every program
begins with HEAD, and is wrong in one line only.
"""

HEAD = """\
import numpy as np
import tensorflow as tf
tfe = tf.contrib.eager
"""
MISTAKES = (
    ("a wrong name of an argument", "pyright", 'No parameter named "axes"',
     "tf.reduce_sum([1.0], axes=0)"),
    ("an argument of NumPy", "mypy", 'Unexpected keyword argument "keepdim"',
     "tf.reduce_mean([[1.0]], 0, keepdim=True)"),
    ("an argument that is missing", "pyright", 'Argument missing for parameter "b"',
     "tf.matmul([[1.0]])"),
    ("a misspelled function", "pyright", '"reduce_sun" is not a known attribute',
     "tf.reduce_sun([1.0])"),
    ("a misspelled method", "mypy", 'maybe "assign"?',
     "v = tfe.Variable(1.0)\nv.asign(2.0)"),
    ("a misspelled layer", "pyright", '"Densse" is not a known attribute',
     "tf.keras.layers.Densse(3)"),
    ("a misspelled setting of a model", "pyright",
     'Argument missing for parameter "optimizer"',
     'tf.keras.Sequential().compile(optimiser="adam", loss="mse")'),
    ("a list in place of a dataset", "pyright",
     'cannot be assigned to parameter "dataset"',
     "tf.data.Dataset.range(3).concatenate([1, 2])"),
    ("a number in place of a function", "mypy", "has incompatible type",
     "tf.data.Dataset.range(3).map(3)"),
    ("a dataset of the wrong name", "mypy", 'has no attribute "DataSet"',
     "tf.data.DataSet.range(3)"),
    ("a tensor in place of a number", "pyright", 'is not assignable to "int"',
     "total: int = tf.reduce_sum([1, 2])"),
    ("None in place of a value", "mypy", "has incompatible type",
     "tf.add(tf.ones([2]), None)"),
    ("an array for a function of tensors", "pyright", '"x" of type "Tensor"',
     "@tfe.defun\ndef double(x: tf.Tensor) -> tf.Tensor:\n    return x * 2.0\n"
     "double(np.ones(3))"),
    ("too few values of two", "pyright", "Tuple size mismatch",
     "a, b, c = tf.nn.moments([1.0], axes=[0])"),
    ("a metric taken for a tensor", "mypy", 'has no attribute "numpy"',
     "tf.metrics.accuracy([1], [2]).numpy()"),
    ("a wrong dtype", "check", "'flaot32' is no dtype. Did you mean 'float32'?",
     'tf.cast([1], dtype="flaot32")'),
    ("a learning rate of another library", "check",
     "tf.train.AdamOptimizer takes no argument 'lr'.",
     "tf.train.AdamOptimizer(lr=0.1).minimize(tf.constant(1.0))"),
    ("a value that is missing", "check",
     "tf.train.MomentumOptimizer needs the argument",
     "tf.train.MomentumOptimizer(0.1).minimize(tf.constant(1.0))"),
    ("a name of before 1.0", "check",
     "twinflow does not have tensorflow.mul", "tf.mul(1.0, 2.0)"),
    ("a name of tf.contrib that never was", "check",
     "twinflow does not have tensorflow.contrib.layers.fully_conected",
     "tf.contrib.layers.fully_conected([[1.0]], 3)"),
    ("a star of a module that is not there", "check",
     "twinflow does not have tensorflow.contrib.tensorrt",
     "from tensorflow.contrib.tensorrt import *"),
    ("a habit of NumPy 1", "check", "does not have set_numeric_ops",
     "np.set_numeric_ops()"),
    ("if, on a tensor of a graph", "check", "neither true nor false yet",
     "x = tf.placeholder(tf.float32)\nif x > 0:\n    x = -x"),
    ("and, between tensors of a graph", "check", "neither true nor false yet",
     "x = tf.placeholder(tf.float32)\ny = tf.cond(x > 0 and x"
     " < 1, lambda: x, lambda: -x)"),
    ("for, over a tensor of a graph", "check", "no elements yet",
     "x = tf.placeholder(tf.float32, [3])\nfor element in x:\n    print(element)"),
    ("a session that was forgotten", "check", "take it from session.run",
     "loss = tf.reduce_sum([1.0])\nsess = tf.Session()\nprint('loss %.3f' % loss)"),
    (".numpy() in a function", "check", "take it from session.run",
     "@tfe.defun\ndef norm(x):\n    return x.numpy() + 1"),
    ("an optimizer that trains nothing", "check", "trains nothing",
     "loss = tf.get_variable('v', []) ** 2\n"
     "optimizer = tf.train.GradientDescentOptimizer(0.1)\n"
     "grads = optimizer.compute_gradients(loss)\ntf.Session().run(grads)"),
    ("a wrong key of a feed", "check", "is no key of feed_dict",
     "x = tf.placeholder(tf.float32, name='x')\n"
     "tf.Session().run(x, feed_dict={'x': 1.0})"),
    ("a length that is not known yet", "check", "use tf.shape(x)[0]",
     "x = tf.placeholder(tf.float32, [None, 3])\ny = tf.zeros([x.shape[0], 2])"),
)  # fmt: skip
