"""Scripts that were moved to `tensorflow.compat.v1` run as they stand."""

import subprocess
import sys

import pytest

LATER = """\
import tensorflow.compat.v1 as tf
tf.disable_v2_behavior()
from tensorflow.compat.v1.keras import layers
from tensorflow.compat import v1
import tensorflow
assert v1 is tf and tensorflow.compat.v1 is tf and tf.__version__ == "1.12.0"
assert layers.Dense is tensorflow.keras.layers.Dense
tf.logging.set_verbosity(tf.logging.ERROR)
x = tf.placeholder(tf.float32, [None, 2])
y = tf.layers.dense(x, 1, kernel_initializer=tf.ones_initializer())
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(y, {x: [[1, 2]]}))
"""
UNDER_V1 = """\
import tensorflow as tf
tf.compat.v1.disable_eager_execution()
with tf.compat.v1.Session() as session:
    print(session.run(tf.constant([[3.0]])))
"""
AS_V2 = """\
import tensorflow.compat.v1 as tf
tf.enable_v2_behavior()
print(tf.constant([[3.0]]).numpy())
try:
    tf.disable_eager_execution()
except ValueError as error:
    assert "Leave both out" in str(error)
"""


@pytest.mark.parametrize("source", [LATER, UNDER_V1, AS_V2])
def test_a_script(source, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(source)
    command = [sys.executable, "-m", "twinflow", "run", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "[[3.]]\n"), done.stderr


def test_a_name_that_nobody_has(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import tensorflow.compat.v1 as tf\ntf.no_such_name\n")
    command = [sys.executable, "-m", "twinflow", "run", str(script)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert "twinflow does not have tensorflow.no_such_name" in done.stderr
