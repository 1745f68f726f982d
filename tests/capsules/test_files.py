"""What a file may be: damaged, hostile, too large; and when one is written."""

import io
import json
import os
import random
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import watching
from twinflow.capsules import steps
from twinflow.capsules.replaying import Capsule, Missing
from twinflow.cli import main


def failing_run(path, **options):
    """A capsule of a while_loop with a variable, draws and a py_func."""
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [3])
        v = tf.get_variable("v", [3], initializer=tf.ones_initializer())
        y = tf.py_func(np.sqrt, [x + v + tf.random_uniform([3])], tf.float32)
        rows = tf.map_fn(
            lambda i: tf.gather(y, i), np.array([0, 1, 5]), dtype=tf.float32
        )
        sess.run(tf.global_variables_initializer())
        with (
            pytest.raises(tf.errors.InvalidArgumentError),
            tf.debugger.capsule(path, **options),
        ):
            sess.run(tf.reduce_sum(rows), {x: [1.0, 2.0, 3.0]})


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("capsules") / "step.capsule"
    failing_run(path, when="error")
    return path


def replay(path, *options):
    return main.main(["replay", "--no-debug", *options, str(path)])


def test_the_whole_file_is_fine(file, capsys):
    assert replay(file) == 0
    shown = capsys.readouterr().out
    assert "reproduced: the same op" in shown
    assert "indices = 5 is not in [0, 3)" in shown
    assert "lambda i: tf.gather(y, i)" in shown


# ---------------------------------------------------------------------- damage
def refused(path, capsys):
    """What is said of a file that cannot be read, or None where it can."""
    status = replay(path)
    shown = capsys.readouterr()
    if status != 2:
        return None
    assert "Traceback" not in shown.err
    assert str(path) in shown.err
    return shown.err


@pytest.mark.parametrize("kept", [0, 3, 4, 30, 0.5, 0.99])
def test_files_that_were_cut_off(file, tmp_path, capsys, kept):
    data = file.read_bytes()
    kept = kept if isinstance(kept, int) else int(len(data) * kept)
    bad = tmp_path / "bad.capsule"
    bad.write_bytes(data[:kept])
    assert refused(bad, capsys)


def test_bytes_that_changed(file, tmp_path, capsys):
    data, chance = file.read_bytes(), random.Random(1)
    bad, count = tmp_path / "bad.capsule", 0
    for _ in range(60):
        changed = bytearray(data)
        for _ in range(chance.randrange(1, 4)):
            changed[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        bad.write_bytes(changed)
        count += refused(bad, capsys) is not None
    assert count > 40  # the rest is in fields that say nothing, such as dates


@pytest.mark.parametrize("text", ["", "hello", "PK\3\4nothing", "{}"])
def test_other_files(tmp_path, capsys, text):
    bad = tmp_path / "other"
    bad.write_text(text)
    assert refused(bad, capsys)


def test_a_file_that_is_not_there(capsys):
    assert replay("/nowhere/x.capsule") == 2
    assert "No such file" in capsys.readouterr().err


def changed(file, path, change):
    """A capsule whose plain data `change` has worked on."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "capsule.json":
                head = json.loads(data)
                change(head)
                data = json.dumps(head).encode()
            new.writestr(name, data)


def places(value, path=()):
    """The paths to all parts of plain data."""
    yield path
    items = value.items() if isinstance(value, dict) else ()
    items = enumerate(value) if isinstance(value, list) else items
    for key, part in items:
        yield from places(part, (*path, key))


def put(head, path, value):
    for key in path[:-1]:
        head = head[key]
    head[path[-1]] = value


HOSTILE = [-1, 10**9, None, "x", [], {}, True, [[0, 0]], {"a": 10**6}, 1.5, "../../x"]


def test_plain_data_that_makes_no_sense(file, tmp_path, capsys):
    with zipfile.ZipFile(file) as z:
        whole = json.loads(z.read("capsule.json"))
    chance, bad = random.Random(2), tmp_path / "bad.capsule"
    known = [p for p in places(whole) if p]
    for _ in range(80):
        place, value = chance.choice(known), chance.choice(HOSTILE)

        def change(head, place=place, value=value):
            put(head, place, value)

        changed(file, bad, change)
        status = replay(bad)
        shown = capsys.readouterr()
        assert status in (0, 1, 2), (place, value)
        assert "Traceback" not in shown.err
        assert status != 2 or str(bad) in shown.err, (place, value, shown.err)


def test_ops_that_reach_outside_are_never_run(file, tmp_path, capsys):
    def change(head):
        head["given"] = []
        graph = head["graphs"][head["unit"]["graph"]]
        place, out = len(graph["nodes"]), [[{"d": "string"}, {"t": []}]]
        graph["nodes"] += [
            {"name": "at", "op": "AsString", "inputs": [], "out": out, "frames": []},
            {
                "name": "evil", "op": "WriteFile", "inputs": [[place, 0], [place, 0]],
                "out": [], "frames": [],
            },
        ]  # fmt: skip
        graph["nodes"][place].update(
            op="Const", attrs={"value": {"a": 0}, "dtype": {"d": "string"}}
        )
        head["unit"]["targets"] = [place + 1]
        head["unit"]["fetches"] = []

    bad = tmp_path / "bad.capsule"
    changed(file, bad, change)
    assert replay(bad) == 1
    assert "WriteFile 'evil'" in capsys.readouterr().out
    assert os.listdir(tmp_path) == ["bad.capsule"]
    capsys.readouterr()


def test_a_python_function_is_not_looked_for(file, tmp_path, capsys):
    def change(head):
        head["given"] = []

    bad = tmp_path / "bad.capsule"
    changed(file, bad, change)
    assert replay(bad) == 1
    shown = capsys.readouterr().out
    assert "PyFunc 'PyFunc'" in shown
    assert "reaches out of the program" in shown


def test_texts_do_nothing_to_the_terminal(file, tmp_path, capsys):
    def change(head):
        head["files"][0]["name"] = "/x/\x1b[2J.py"
        head["failure"]["error"]["text"] = "\x1b]0;title\x07 bad"
        head["versions"]["twinflow"] = "\x1b[31m"
        head["failure"]["op"] = "\x1b[1m"

    bad = tmp_path / "bad.capsule"
    changed(file, bad, change)
    replay(bad)
    shown = capsys.readouterr()
    assert "\x1b" not in shown.out + shown.err


def test_files_of_this_machine_are_not_shown(file, tmp_path, capsys):
    secret = tmp_path / "secret.py"
    secret.write_text("the secret\n" * 500)

    def change(head):
        head["files"] = [{"name": str(secret), "blocks": []} for _ in head["files"]]

    bad = tmp_path / "bad.capsule"
    changed(file, bad, change)
    assert replay(bad) == 0
    assert "the secret" not in capsys.readouterr().out


def test_pickles_are_refused(file, tmp_path, capsys):
    bad = tmp_path / "bad.capsule"
    buffer = io.BytesIO()
    np.save(buffer, np.array([print], object), allow_pickle=True)
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(bad, "w") as new:
        for name in old.namelist():
            whole = buffer.getvalue() if name.endswith("/0.npy") else old.read(name)
            new.writestr(name, whole)
    assert "object" in refused(bad, capsys)


# ---------------------------------------------------------------------- writing
def test_what_does_not_fit_is_left_out_and_said(tmp_path, capsys):
    path = tmp_path / "step.capsule"
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None])
        y = tf.gather(x * 2.0, tf.constant([1]) * 10**6)
        with (
            pytest.raises(tf.errors.InvalidArgumentError),
            tf.debugger.capsule(path, megabytes=0.1),
        ):
            sess.run(y, {x: np.ones(100_000)})
    said = capsys.readouterr().err
    assert "left out of it: the input 'Placeholder', float32[100000]" in said
    assert path.stat().st_size < 60_000
    with pytest.raises(Missing, match="with more megabytes"):
        Capsule(path).run()
    assert replay(path) == 2
    shown = capsys.readouterr()
    assert "indices[0] = 1000000" in shown.out
    assert "with more megabytes" in shown.err


def test_an_error_that_was_survived_gives_way(tmp_path):
    path = tmp_path / "step.capsule"
    with tf.Graph().as_default(), tf.Session() as sess:
        v = tf.get_variable("v", [2])
        y = tf.gather([1.0], tf.placeholder_with_default(3, []), name="late")
        with tf.debugger.capsule(path):
            with pytest.raises(tf.errors.FailedPreconditionError):
                sess.run(v)
            sess.run(v.initializer)
            with pytest.raises(tf.errors.InvalidArgumentError):
                sess.run(y)
    assert Capsule(path).node.name == "late"


def test_the_first_nan_stays(tmp_path):
    path = tmp_path / "step.capsule"
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [])
        y = tf.check_numerics(tf.sqrt(tf.log(x, name="first")), "late")
        with tf.debugger.capsule(path), pytest.raises(tf.errors.InvalidArgumentError):
            sess.run(y, {x: -1.0})
    found = Capsule(path)
    assert (found.node.name, found.failure["kind"]) == ("first", "nan")


def test_the_end_of_data_is_no_failure(tmp_path):
    path = tmp_path / "step.capsule"
    with tf.Graph().as_default(), tf.Session() as sess:
        rows = tf.data.Dataset.range(1).make_one_shot_iterator().get_next()
        with tf.debugger.capsule(path), pytest.raises(tf.errors.OutOfRangeError):
            for _ in range(2):
                sess.run(rows)
    assert not path.exists()


def test_a_folder_that_cannot_be_written_lets_the_program_fail_as_it_would(
    tmp_path, capsys
):
    folder = tmp_path / "gone"
    folder.mkdir()
    with tf.Graph().as_default(), tf.Session() as sess:
        y = tf.gather([1.0], tf.placeholder_with_default(3, []))
        with tf.debugger.capsule(folder / "x.capsule"):
            folder.rmdir()
            with pytest.raises(tf.errors.InvalidArgumentError, match="indices = 3"):
                sess.run(y)
    assert "no capsule was written" in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(("options", "text"), [
    ({"when": "never"}, "'error' and 'nan'"), ({"when": []}, "'error' and 'nan'"),
    ({"megabytes": 0}, "megabytes=0"), ({"path": "/nowhere/x"}, "no folder '/nowhere'"),
])  # fmt: skip
def test_wrong_arguments(options, text):
    given = {"path": "/tmp/x", **options}
    with pytest.raises(ValueError, match=text), tf.debugger.capsule(**given):
        pass


def test_off_it_is_not_even_loaded():
    code = (
        "import sys, twinflow as tf\n"
        "with tf.Session() as s: s.run(tf.constant(1.0) + 1.0)\n"
        "print([m for m in sys.modules if 'capsules' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
    assert watching.WATCHERS == []


def test_other_programs_find_a_graph_def(file):
    with zipfile.ZipFile(file) as z:
        found = tf.GraphDef.FromString(z.read("graph.pb"))
        arrays = [n for n in z.namelist() if n.startswith("arrays/")]
        for name in arrays:
            np.load(io.BytesIO(z.read(name)), allow_pickle=False)
    assert {"Placeholder", "PyFunc", "TensorArrayV3"} <= {n.op for n in found.node}
    assert arrays


def test_old_ops_of_an_eager_step_give_way(tmp_path, monkeypatch, capsys, eager):
    monkeypatch.setattr(steps, "MOST_OPS", 30)
    path = tmp_path / "step.capsule"
    x = tf.random_normal([3])
    with (
        pytest.raises(tf.errors.InvalidArgumentError),
        tf.debugger.capsule(path, when="error"),
    ):
        for _ in range(100):
            x = x * 1.5 + 1.0
        tf.reshape(x, [2])
    assert Capsule(path).lost == 170
    assert replay(path) == 0
    assert "170 older ops of the step did not fit" in capsys.readouterr().out


def test_an_eager_step_begins_with_the_outermost_tape(tmp_path, eager):
    path = tmp_path / "step.capsule"
    x = tf.constant([1.0, 4.0])
    with pytest.raises(tf.errors.InvalidArgumentError), tf.debugger.capsule(path):
        x = x * 2.0
        for _ in range(2):
            with tf.GradientTape() as outer, tf.GradientTape() as inner:
                inner.watch(x)
                outer.watch(x)
                y = tf.sqrt(x)
            slope = inner.gradient(y, x)
        tf.gather(slope, 2)
    found = Capsule(path)
    ops = [n.type for n in found.arguments.graph.nodes if n.type != "Placeholder"]
    assert ops.count("Sqrt") == 1
    assert ops[-1] == "GatherV2"
    assert "SqrtGrad" in ops
    assert found.run().reproduced
