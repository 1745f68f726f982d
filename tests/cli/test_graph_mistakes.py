"""What `twinflow check` says of tensors in graphs, and that it is silent elsewhere."""

import pytest

from twinflow.cli import check

HEAD = "import numpy as np\nimport tensorflow as tf\ntfe = tf.contrib.eager\n"
RIGHT = {
    "eager": "tf.enable_eager_execution()\nx = tf.ones([2])\n"
    "if x[0] > 0: print('%f' % x[0])",
    "values": "x = tf.ones([2])\nx = tf.Session().run(x)\n"
    "if x[0] > 0: print('%f' % x[0])",
    "loop": "x = tf.ones([])\nfor x in range(3):\n    if x: print(float(x))\n"
    "tf.Session()",
    "none": "x = tf.placeholder(tf.int32)\nif x is not None and x == x: print(x)",
    "feeds": "x = tf.placeholder(tf.int32)\ntf.Session().run(x, {x: 1, 'y:0': 2})",
    "known": "x = tf.placeholder(tf.int32, [2, None])\ny = tf.zeros([x.shape[0], 2])",
    "shown": "x = tf.placeholder(tf.int32, [None])\nprint(x.shape[0], '%s' % x)",
    "autograph": "@tf.function\ndef f(x):\n    y = x * 2\n"
    "    if y > 0: y = -y\n    return y",
    "handed on": "o = tf.train.AdamOptimizer()\n"
    "tf.contrib.training.create_train_op(0., o)",
    "applied": "o = tf.train.AdamOptimizer()\ng = o.compute_gradients(0.)\n"
    "o.apply_gradients(g)",
    "kept": "class A:\n"
    "    def __init__(self):\n        self.o = tf.train.AdamOptimizer()",
    "eager block": "with context.eager_mode():\n    x = tf.ones([2])\n"
    "    print(x.numpy(), float(x[0]))\n    if x[0] > 1: print(x)\nx.numpy()",
    "eager method": "class Test:\n    def test(self):\n        x = tf.ones([])\n"
    "        with self.eager_mode(): x = tf.ones([]); self.equal(x.numpy(), 1)",
    "both modes": "class Test:\n    @test_util.run_in_graph_and_eager_modes()\n"
    "    def test(self):\n        x = tf.ones([])\n        x = x.numpy()",
    "class of both modes": "@test_util.run_all_in_graph_and_eager_modes\n"
    "class Test:\n    def test(self):\n        return tf.ones([]).numpy()",
    "py_func": "def f(x):\n    y = tf.square(x)\n    return look(y)\n"
    "def look(x):\n    y = x * tf.ones([])\n    return y.numpy()\n"
    "tf.Session().run(tfe.py_func(f, [1.], tf.float32))",
    "called eagerly": "def f():\n    y = tf.ones([])\n    return y.numpy()\n"
    "with context.eager_mode():\n    print(f())",
    "given on": "def f(*a, **k):\n    return tf.layers.dense(*a, **k)",
}  # fmt: skip
WRONG = {
    "while": ("n = tf.placeholder(tf.int32)\nwhile n > 3: n = n - 1", 5),
    "not": ("n = tf.placeholder(tf.bool)\nprint(not n)", 5),
    "assert": ("n = tf.ones([])\ntf.Session()\nassert n > 1", 6),
    "in a function": ("def f():\n    n = tf.ones([])\n"
    "    return float(n)\ntf.Session()", 6),
    "numpy": ("n = tf.ones([])\ntf.Session()\nnp.sqrt(n)", 6),
    "f-string": ("n = tf.ones([])\ntf.Session()\nprint(f'{n:.2f}')", 6),
    "defun": ("@tfe.defun\ndef f(x):\n    y = tf.abs(x)\n    if y > 0: y = -y", 7),
    "beside an eager block": ("with context.eager_mode():\n    x = tf.ones([])\n"
    "x = tf.ones([])\nx.numpy()", 7),
    "beside py_func": ("def f(x):\n    return x\ndef g(x):\n    y = tf.abs(x)\n"
    "    return y.numpy()\ntfe.py_func(f, [1.], tf.float32)", 8),
    "in a function of graphs": ("def f():\n    n = tf.ones([])\n"
    "    return n.numpy()\ntf.Session()", 6),
    "defun in an eager block": ("with context.eager_mode():\n    @tfe.defun\n"
    "    def f(x):\n        return x.numpy()", 7),
    "never used": ("o = tf.train.AdamOptimizer()", 4),
    "get_shape": ("x = tf.placeholder(tf.int32, [None])\nrange(x.get_shape()[0])", 5),
    "positional": ("tf.Session(1, 2, 3, 4)", 4),
    "dtype": ("tf.zeros([2], 'flaot')", 4),
}  # fmt: skip


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_said_of_right_programs(name):
    graph = "" if name in ("eager", "autograph") else "tf.Session\n"
    assert check.findings(HEAD + RIGHT[name] + "\n" + graph, "a.py") == []


@pytest.mark.parametrize("name", WRONG)
def test_mistakes(name):
    program, line = WRONG[name]
    found = check.findings(f"{HEAD}{program}\ntf.Session\n", "a.py")
    assert [f.line for f in found] == [line]
