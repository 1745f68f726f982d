"""The random numbers of TensorFlow 1.12: the same interpreted and compiled.

That they are TensorFlow's is what `tests/golden` shows (`graph_random_numbers`,
`eager_random_numbers`, recorded from it).
"""

import os
import pickle
import subprocess
import sys
from unittest import mock

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, eager, interpreted
from twinflow.contrib.eager import defun
from twinflow.ops.random.setting import Setting, setting
from twinflow.ops.random.streams import OriginalStream, Stream, stream_of_seeds

LOGITS = np.log([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])
DRAWS = {
    "uniform": lambda: tf.random_uniform([3, 7]),
    "uniform float64": lambda: tf.random_uniform([5], dtype=tf.float64),
    "uniform float16": lambda: tf.random_uniform([5], dtype=tf.float16),
    "uniform bfloat16": lambda: tf.random_uniform([5], dtype=tf.bfloat16),
    "int32": lambda: tf.random_uniform([9], -3, 10, tf.int32),
    "int64": lambda: tf.random_uniform([9], -3, 2**40, tf.int64),
    "normal": lambda: tf.random_normal([3, 3]),
    "normal float64": lambda: tf.random_normal([5], dtype=tf.float64),
    "truncated": lambda: tf.truncated_normal([300]),
    "truncated float64": lambda: tf.truncated_normal([31], dtype=tf.float64),
    "shuffle": lambda: tf.random_shuffle(tf.range(50)),
    "multinomial": lambda: tf.multinomial(LOGITS, 9),
    "gamma": lambda: tf.random_gamma([20], [0.3, 1.0, 7.0]),
    "poisson": lambda: tf.random_poisson([0.3, 9.0, 200.0], [20]),
}


@pytest.fixture(autouse=True)
def original():
    with mock.patch.object(setting, "original", True), eager():
        tf.set_random_seed(None)
        yield
        tf.set_random_seed(None)


def twice(how):
    """What two calls of a function draw, for each of DRAWS."""
    tf.set_random_seed(4)
    with how():
        draws = defun(lambda: [draw() for draw in DRAWS.values()])
        calls = [[x.numpy() for x in draws()] for _ in range(2)]
    return dict(zip(DRAWS, zip(*calls, strict=True), strict=True))


def test_both_engines_draw_the_same():
    first, second = twice(interpreted), twice(compiled)
    for name, values in first.items():
        for a, b in zip(values, second[name], strict=True):
            exact = a.dtype.kind in "iu" or name.startswith("uniform")
            a, b = np.asarray(a, np.float64), np.asarray(b, np.float64)
            limit = 0 if exact else 4e-7
            np.testing.assert_allclose(a, b, rtol=limit, err_msg=name)
        assert not np.array_equal(*values), name


def test_a_stream_is_its_seeds_and_place():
    stream = stream_of_seeds((3, 4))
    assert type(stream) is OriginalStream
    stream.take(5)
    again = pickle.loads(pickle.dumps(stream))
    assert type(again) is OriginalStream and again.read().tolist() == [5, 3 | 4 << 32]
    setting.original = False
    assert type(stream_of_seeds((3, 4))) is Stream


def test_one_word_of_the_environment_chooses(monkeypatch):
    chosen = Setting()
    monkeypatch.delenv("TWINFLOW_RANDOM", raising=False)
    chosen.follow_environment("tensorflow")
    assert chosen.original
    monkeypatch.setenv("TWINFLOW_RANDOM", "twin")
    chosen.follow_environment("tensorflow")
    assert not chosen.original
    monkeypatch.setenv("TWINFLOW_RANDOM", "numpy")
    with pytest.raises(ValueError, match=r"'numpy'; expected 'tensorflow'.*or 'twin'"):
        chosen.follow_environment("twin")


def test_programs_that_are_run_draw_as_tensorflow(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        "import tensorflow as tf\n"
        "tf.set_random_seed(1)\n"
        "x = tf.random_uniform([2])\n"
        "print(tf.Session().run(x).tolist())\n"
    )
    command = [sys.executable, "-m", "twinflow", "run", str(script)]
    shown = {}
    for word in ("", "twin"):
        environment = {**os.environ, **({"TWINFLOW_RANDOM": word} if word else {})}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        shown[word] = done.stdout
    assert shown[""] != shown["twin"]
    assert shown[""] == "[0.7787855863571167, 0.8011977672576904]\n"  # of 1.12
