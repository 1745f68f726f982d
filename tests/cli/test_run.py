"""`twinflow run`: scripts as they were written in 2018, each in its own process."""

import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

GRAPH = """
from __future__ import absolute_import, division, print_function
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
w = tf.get_variable("w", [2, 1], initializer=tf.ones_initializer())
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - 1.0))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        _, value = sess.run([step, loss], feed_dict={x: np.ones([3, 2], np.float)})
print("%s %.4f" % (tf.__version__, value))
"""
EAGER = """
import numpy as np
import tensorflow as tf
import tensorflow.contrib.eager as tfe
from tensorflow.python.ops.resource_variable_ops import ResourceVariable
from tensorflow.python.ops import array_ops, math_ops

tf.enable_eager_execution()
v = tfe.Variable(3.0)
assert isinstance(v, ResourceVariable)
grad = tfe.implicit_gradients(lambda: v * v)
data = tfe.Iterator(tf.data.Dataset.range(2))
print(grad()[0][0].numpy(), data.next().numpy(), tf.shape(array_ops.zeros([2, 3])))
print(int(math_ops.reduce_sum(np.ones(4, np.int))), tf.TensorShape([4])[0] / 2)
"""
TESTS = """
import tensorflow as tf
from tensorflow.python.framework import test_util
from tensorflow.python.platform import test

class SquareTest(test.TestCase):
    @test_util.run_in_graph_and_eager_modes
    def testSquare(self):
        print("eager" if tf.executing_eagerly() else "graph")
        self.assertAllClose(self.evaluate(tf.square([2.0, 3.0])), [4.0, 9.0])

    def testItems(self):
        with self.test_session() as sess:
            self.assertItemsEqual([2, 1], sess.run([tf.constant(1), tf.constant(2)]))
        self.assertEquals(1, 1)

if __name__ == "__main__":
    tf.test.main()
"""
FLAGS = """
import sys
import tensorflow as tf

flags = tf.app.flags
flags.DEFINE_integer("steps", 10, "How many.")
FLAGS = flags.FLAGS

def main(_):
    print(FLAGS.steps, sys.argv[0], sys.argv[1:])

if __name__ == "__main__":
    tf.app.run()
"""
FAILING = """
import sys
import beside

def inner(x):
    raise ValueError("no %s" % x)

print(__name__, __file__, sys.argv, sys.path[0], beside.x)
inner(sys.argv[1])
"""
OLD = """
import csv, pickle, cPickle, Queue, string, urllib, sys
from StringIO import StringIO
import old_beside
half = old_beside.half(7)
f = open("x.csv", "wb"); w = csv.writer(f); w.writerow(["a", 1]); f.close()
for row in csv.reader(open("x.csv", "rb")): print row[0], int(row[1]) / 2
with open("y.bin", "wb") as f:
    f.write("abc\\n"); print >>f, "def", 3
print open("y.bin").read().split("\\n"), map(ord, open("y.bin", "rb").read()[:2])
pickle.dump({"a": [2]}, open("p.pkl", "w"))
print pickle.load(open("p.pkl", "r"))["a"], cPickle.loads(cPickle.dumps([1]))
s = StringIO(); s.write("x"); print s.getvalue(), urllib.quote("a b"), sys.maxint > 5
print string.letters[:3], string.join(["a", "b"], "-"), half,
"""  # what it prints was printed by Python 2.7.18
CHOICES = """
import random
import numpy as np
import tensorflow as tf
print(tf.executing_eagerly(), random.random(), np.random.rand())
def drawn():
    with tf.Graph().as_default(), tf.Session() as sess:
        return sess.run(tf.random_uniform([]))
print(tf.random_uniform([]).numpy(), drawn() == drawn())
"""


def start(folder, *command):
    """The finished process of a command in a folder."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder / "real"), root])}
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True, text=True, cwd=folder, env=env, timeout=100,
        input="p 'x is %s' % x\nq\n",
    )  # fmt: skip


def twinflow(folder, *args):
    return start(folder, "-m", "twinflow", "run", *args)


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """{name: finished process}; all run at the same time, beside a real tensorflow."""
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "real" / "tensorflow").mkdir(parents=True)
    (folder / "real" / "tensorflow" / "__init__.py").write_text("raise SystemExit(9)")
    sources = {
        "graph": GRAPH, "eager": EAGER, "tests": TESTS, "flags": FLAGS,
        "failing": FAILING, "beside": "x = 5", "syntax": "x = 1\ny = = 2\n",
        "old": OLD, "old_beside": "def half(x):\n\tprint 'beside',\n\treturn x / 2\n",
        "status": "import sys\nsys.exit('that is all')", "choices": CHOICES,
    }  # fmt: skip
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source)
    commands = {
        "graph": (twinflow, "graph.py"),
        "eager": (twinflow, "eager.py"),
        "tests": (twinflow, "tests.py", "-v"),
        "flags": (twinflow, "-m", "flags", "--steps=3", "rest"),
        "none": (twinflow, "none.py"),
        "old": (twinflow, "--py2", "old.py"),
        "old, read as Python 3": (twinflow, "old.py"),
        "options": (twinflow, "--py3", "old.py"),
        "choices": (twinflow, "--eager", "--seed=3", "choices.py"),
        "others": (twinflow, "--eager", "--seed", "4", "--profile", "choices.py"),
        "pdb": (twinflow, "--pdb", "failing.py", "a"),
        "real": (start, "-c", "import tensorflow"),
    }
    for name in ("failing", "syntax", "status"):
        commands[name] = (twinflow, f"{name}.py", "a", "-b")
        commands[f"python {name}"] = (start, f"{name}.py", "a", "-b")
    with ThreadPoolExecutor(4) as pool:
        runs = {n: pool.submit(c[0], folder, *c[1:]) for n, c in commands.items()}
    return {name: run.result() for name, run in runs.items()}


def output(run):
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_a_graph_with_a_session(done):
    assert output(done["graph"]) == "1.12.0 0.1296\n"


def test_eager_code_with_deep_imports(done):
    first, second = output(done["eager"]).splitlines()
    assert first == "6.0 0 tf.Tensor([2 3], shape=(2,), dtype=int32)"
    assert second == "4 2.0"


def test_a_test_file(done):
    run = done["tests"]
    assert output(run).split() == ["graph", "eager"]
    assert "testItems" in run.stderr and "\nOK" in run.stderr


def test_flags_of_a_module(done):
    steps, path, rest = output(done["flags"]).split(" ", 2)
    assert steps == "3" and os.path.basename(path) == "flags.py"
    assert rest == "['--steps=3', 'rest']\n"


@pytest.mark.parametrize("name", ["failing", "syntax", "status"])
def test_a_script_ends_as_it_does_with_python(done, name):
    ours, python = done[name], done[f"python {name}"]
    assert ours.stderr == python.stderr and python.stderr
    assert (ours.stdout, ours.returncode) == (python.stdout, python.returncode)


def test_a_script_in_python_2(done):
    assert output(done["old"]) == (
        "beside a 0\n['abc', 'def 3', ''] [97, 98]\n[2] [1]\nx a%20b True\nabc a-b 3\n"
    )


def test_a_script_in_python_2_that_is_read_as_python_3(done):
    run = done["old, read as Python 3"]
    assert run.returncode == 1 and not run.stdout
    assert "old.py:7: for row in csv.reader" in run.stderr
    assert 'write: for row in csv.reader(open("x.csv", "rb")): print(' in run.stderr
    assert run.stderr.count("Traceback") == 0
    assert "`twinflow run --py2 old.py` runs it as it stands" in run.stderr


def test_an_option_that_is_not_there(done):
    run = done["options"]
    assert (
        run.returncode == 2 and "no option '--py3'. Did you mean '--py2'?" in run.stderr
    )


def test_a_script_that_is_not_there(done):
    run = done["none"]
    assert run.returncode == 2 and "can't open file" in run.stderr


def test_the_tensorflow_beside_the_scripts_was_within_reach(done):
    assert done["real"].returncode == 9


def test_seeds_and_eager_execution(done):
    first, second = (output(done[name]).split() for name in ("choices", "others"))
    numbers = [str(random.Random(3).random()), str(np.random.RandomState(3).rand())]
    assert first[:3] == ["True", *numbers]
    assert first[3] != second[3]
    assert first[4] == second[4] == "True"


def test_a_profile_of_a_run(done):
    assert "profile of" in done["others"].stderr
    assert "profile of" not in done["choices"].stderr


def test_the_debugger_where_a_script_fails(done):
    run = done["pdb"]
    assert run.returncode == 1
    assert "ValueError: no a" in run.stderr
    assert "x is a" in run.stdout and run.stdout.rstrip().endswith("(tf)")
