"""The examples run, learn, and write what they say; in TensorFlow, the same numbers."""

import os
import re
import subprocess
import sys

import pytest

import twinflow as tf
from tests.source_tree import ROOT

EXAMPLES = ROOT / "examples"
BOOTSTRAP = ROOT / "tests" / "examples" / "bootstrap.py"
PNG = b"\x89PNG"
BOTH = [[], ["--eager"]]
pytest.importorskip("matplotlib")


def run(command, folder):
    """The standard output of a process in `folder`."""
    done = subprocess.run(
        [str(c) for c in command], cwd=folder, capture_output=True, text=True,
        timeout=300, env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def example(name, *args, folder):
    """What an example prints."""
    return run([sys.executable, EXAMPLES / name, *args], folder)


def numbers(text):
    """The numbers with a point in a text."""
    return [float(x) for x in re.findall(r"-?\d+\.\d+", text)]


def tags(folder):
    """The names of the summaries in the event files of a folder."""
    return {
        v.tag
        for path in folder.glob("events*")
        for event in tf.train.summary_iterator(str(path))
        for v in event.summary.value
    }


# ------------------------------------------------------------------ they learn
def test_regression_gives_one_line_in_three_styles(tmp_path):
    out = [example("regression.py", *mode, folder=tmp_path) for mode in BOTH]
    first, *others = [numbers(x) for x in "".join(out).splitlines() if "loss" in x]
    assert others == [pytest.approx(first, abs=2e-4)] * 5
    assert abs(first[2] - 3) < 0.05 and abs(first[3] - 2) < 0.05


@pytest.mark.parametrize("mode", BOTH)
def test_char_rnn_learns_to_write(mode, tmp_path):
    out = example("char_rnn.py", "--epochs", 10, *mode, folder=tmp_path)
    first, last = numbers(out)
    assert first > 3.5 and last < 1
    assert "the cat" in out or "the dog" in out


def test_gan_makes_points_of_about_the_right_size(tmp_path):
    out = example("gan.py", "--steps", 300, "--functions", folder=tmp_path)
    assert 1.5 < numbers(out)[-1] < 2.6


def test_codebase_goes_on_as_a_graph_where_it_stopped(tmp_path):
    main = "codebase/main.py"
    out = example(main, "--folder", "both", "--epochs", 2, folder=tmp_path)
    args = ["--folder", "alone", "--epochs", 4, "--eager"]
    alone = example(main, *args, folder=tmp_path)
    assert numbers(out)[-1] == pytest.approx(numbers(alone)[-1], abs=2e-4)
    kept, wanted = (
        [
            float(x)
            for path in sorted((tmp_path / folder).glob("losses*"))
            for x in path.read_text().split()
        ]
        for folder in ("both", "alone")
    )
    assert kept == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize("mode", BOTH)
def test_lstm_digits_train_and_go_on(mode, tmp_path):
    args = ["--short", "--folder", "d", *mode]
    first = numbers(example("lstm_digits/digits.py", *args, folder=tmp_path))
    out = numbers(example("lstm_digits/digits.py", *args, folder=tmp_path))
    assert out[0] < first[0] and out[3] < first[3]  # the losses of both networks
    assert tags(tmp_path / "d") == {"Keras_model", "single_ops"}
    assert tf.train.latest_checkpoint(str(tmp_path / "d")).endswith("ckpt-2")
    steps = "steps/.ATTRIBUTES/VARIABLE_VALUE"
    assert tf.train.load_variable(str(tmp_path / "d"), steps) == 6


def test_estimator_from_records(tmp_path):
    args = ["--folder", "f", "--steps"]
    example("records_estimator.py", *args, 100, folder=tmp_path)
    out = example("records_estimator.py", *args, 200, folder=tmp_path)
    _, accuracy, predicted = numbers(out)
    assert out.startswith("step 200:") and accuracy == predicted > 0.85
    assert tags(tmp_path / "f" / "model") >= {"loss", "batch_accuracy"}
    assert tags(tmp_path / "f" / "model" / "eval") == {
        "loss", "accuracy", "checkpoint_path"
    }  # fmt: skip


def test_ready_made_estimators(tmp_path):
    out = example("estimators/iris.py", "--steps", 100, folder=tmp_path)
    assert numbers(out)[0] > 0.85 and "Setosa: Setosa" in out
    args = ["--kind", "wide", "--epochs", 1]
    out = example("estimators/census.py", *args, folder=tmp_path)
    accuracy, baseline, *_ = numbers(out)
    assert accuracy > baseline + 0.1
    out = example("estimators/trees.py", "--trees", 4, folder=tmp_path)
    assert numbers(out)[0] > 0.75
    assert out.splitlines()[1].startswith("sex_indicator:female: ")


# ------------------------------------------------------------------ as in TensorFlow
SAME = [
    ["regression.py", "--steps", 50],
    ["char_rnn.py", "--epochs", 1],
    ["gan.py", "--steps", 10],
    ["regression.py", "--steps", 50, "--eager"],
    ["char_rnn.py", "--epochs", 1, "--eager"],
    ["gan.py", "--steps", 10, "--eager"],
    ["codebase/main.py", "--folder", "c", "--epochs", 1],
    ["lstm_digits/digits.py", "--short", "--folder", "d"],
    ["lstm_digits/digits.py", "--short", "--folder", "d", "--eager"],
    ["records_estimator.py", "--folder", "r", "--steps", 20],
    ["estimators/iris.py", "--steps", 20],
    ["estimators/census.py", "--kind", "wide", "--epochs", 1],
    ["estimators/trees.py", "--trees", 1],
]  # fmt: skip


@pytest.mark.interop
@pytest.mark.slow
@pytest.mark.parametrize("name, args", [(n, a) for n, *a in SAME])
def test_tensorflow_runs_the_same_program(name, args, tf112_python, tmp_path):
    printed = []
    for python, framework in [
        (sys.executable, "twinflow"),
        (tf112_python, "tensorflow"),
    ]:
        folder = tmp_path / framework
        folder.mkdir()
        command = [python, BOOTSTRAP, framework, EXAMPLES / name, *args]
        printed.append(numbers(run(command, folder)))
    assert printed[0] == pytest.approx(printed[1], abs=2e-4)
