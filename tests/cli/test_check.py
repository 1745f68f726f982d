"""`twinflow check`: what is missing, by file and line, without running anything."""

import numpy as np
import pytest

from twinflow.cli import check, main

SCRIPT = """\
import tensorflow as tf
import tensorflow.contrib.eager as tfe
from tensorflow.python.ops import array_ops, no_such_module
from tensorflow.python.framework.ops import Graph, _UserDeviceSpec as stats
import os.path

raise SystemExit("a check runs nothing")
layers = tf.nn
x = tf.nn.relu(tf.no_such_function(tfe.Variable(1.0).value()))
y = array_ops.concat([x], 0) + layers.gone(x)
tf.GraphKeys.LOSSES, tf.GraphKeys.NO_KEY
with tf.name_scope("a") as tf_scope:
    os.path.no_such_thing(tf.Session().run)
tfe.connect_to_remote_host("here")
"""


def test_findings():
    found = check.findings(SCRIPT, "a.py")
    assert [(f.line, f.text.split(", which")[0]) for f in found] == [
        (3, "twinflow does not have tensorflow.python.ops.no_such_module"),
        (4, "twinflow does not have tensorflow.python.framework.ops._UserDeviceSpec"),
        (9, "twinflow does not have tensorflow.no_such_function"),
        (10, "twinflow does not have tensorflow.nn.gone"),
        (
            11,
            "twinflow does not have NO_KEY of "
            "twinflow.ops.variables.collections.GraphKeys",
        ),
        (
            14,
            "twinflow refuses tensorflow.contrib.eager.connect_to_remote_host: Refuse "
            "remote devices: twinflow runs in one process.",
        ),
    ]


def test_whole_modules():
    source = "import tensorflow.contrib.gone\nimport tensorflow\ntensorflow.nope.x(1)"
    assert [str(f) for f in check.findings(source, "b.py")] == [
        "b.py:1: twinflow does not have tensorflow.contrib.gone",
        "b.py:3: twinflow does not have tensorflow.nope",
    ]


def test_python_2_is_named():
    source = "import tensorflow as tf\nprint 'hello'\ntf.nope()\n"
    assert [str(f).split(", which")[0] for f in check.findings(source, "c.py")] == [
        "c.py:2: Python 2: print 'hello'  ->  print('hello')",
        "c.py:3: twinflow does not have tensorflow.nope",
    ]
    (found,) = check.findings("x = = 1", "c.py")
    assert str(found).startswith("c.py:1: Python 3 cannot read this: invalid syntax")


def test_methods_of_python_2_are_named_unless_the_script_asks_for_them():
    source = (
        "import sys\nfor k in d.iteritems():\n    d.has_key(k)\n"
        "if sys.version_info[0] < 3:\n    d.iteritems()\n"
        "try:\n    d.itervalues()\nexcept AttributeError:\n    pass\n"
        "six.iteritems(d)\n"
    )
    assert [(f.line, f.text) for f in check.findings(source, "c.py")] == [
        (2, "Python 2: d.iteritems()  ->  d.items()"),
        (3, "Python 2: d.has_key(k)  ->  k in d"),
    ]


def test_status_and_output(tmp_path, capsys):
    good, bad = tmp_path / "good.py", tmp_path / "more" / "bad.py"
    good.write_text("import tensorflow as tf\ntf.add(1, 2)\n")
    bad.parent.mkdir()
    bad.write_text("import tensorflow as tf\n\ntf.nope()\n")
    assert main.main(["check", str(good)]) == 0
    assert "has every TensorFlow symbol" in capsys.readouterr().out
    assert main.main(["check", str(tmp_path)]) == 1
    assert capsys.readouterr().out == (
        f"{bad}:3: twinflow does not have tensorflow.nope\n1 finding in 1 of 2 files\n"
    )
    assert main.main(["check", str(tmp_path / "none.py")]) == 2


@pytest.mark.parametrize(
    ("argv", "status"),
    [
        ([], 0),
        (["--help"], 0),
        (["fly"], 2),
        (["check"], 2),
        (["--version"], 0),
        (["run", "--help"], 0),
        (["check", "-h"], 0),
        (["ckpt", "--help"], 0),
    ],
)
def test_command_lines(argv, status, capsys):
    assert main.main(argv) == status
    captured = capsys.readouterr()
    assert "twinflow" in captured.out + captured.err


def test_what_is_refused_says_why():
    found = check.findings(
        "import tensorflow as tf\n"
        "from tensorflow.contrib import tensorrt\n"
        "tf.load_op_library('a.so')\n"
        "tf.contrib.seq2seq.sequence_loss, tf.contrib.bayesflow.rotate\n"
        "from tensorflow.examples.tutorials.mnist import input_data\n",
        "a.py",
    )
    texts = [(f.line, f.text) for f in found]
    assert [line for line, _ in texts] == [2, 3, 4]
    refused = "tensorflow.contrib.tensorrt, which is part of TensorFlow 1.12"
    assert refused in texts[0][1]
    assert texts[1][1].startswith("twinflow refuses tensorflow.load_op_library: ")
    assert "tensorflow.contrib.bayesflow" in texts[2][1]


def test_names_of_stars():
    """A star brings every name; the check knows which, and which it would have."""
    script = (
        "from tensorflow.keras.layers import *\n"
        "from tensorflow.nn.rnn_cell import *\n"
        "x = Dense(3)(Input([2]))\n"
        "print(LSTMCell(3), LayerRNNCell, len(undefined))\n"
        "def LayerNoSuch(): pass\n"
    )
    found = check.findings(script, "a.py")
    assert [(f.line, f.text.split(", which")[0]) for f in found] == [
        (4, "twinflow does not have tensorflow.nn.rnn_cell.LayerRNNCell")
    ]
    mine = script + "LayerRNNCell = None\n"
    assert check.findings(mine, "a.py") == []


HABITS = """\
import numpy as np, scipy.misc
from numpy import int as whole
x = np.float(1), np.NaN, np.nothing_such, np.array, np.testing
np.reshape(x, newshape=[1]), scipy.misc.imresize(x, 3), scipy.misc.nothing
if hasattr(np, "alltrue"): np.alltrue(x)
try: np.bool
except AttributeError: pass
"""


def test_habits_of_numpy():
    """What `twinflow run` mends is listed if it is asked for, what is gone always."""
    found = check.findings(HABITS, "a.py")
    assert [f.line for f in found] == [3, 4]
    assert found[0].text == f"NumPy {np.__version__} does not have nothing_such"
    assert found[1].text == "SciPy of 2018: scipy.misc.nothing is gone"
    every = check.findings(HABITS, "a.py", habits=True)
    assert [(f.line, f.text) for f in every if f not in found] == [
        (2, "NumPy 1: np.int  ->  int"),
        (3, "NumPy 1: np.NaN  ->  np.nan"),
        (3, "NumPy 1: np.float  ->  float"),
        (4, "NumPy 1: np.reshape(newshape=...)  ->  shape=..."),
        (4, "SciPy of 2018: scipy.misc.imresize is gone"),
    ]


def test_near_names_of_classes():
    (found,) = check.findings("import tensorflow as tf\ntf.GraphKeys.LOSES", "a.py")
    assert found.text.endswith("GraphKeys. Did you mean LOSSES?")
