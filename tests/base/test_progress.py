"""How far long operations are: in a terminal, a notebook and a log, and in silence."""

import io
import itertools
import logging
import os
import pty
import re
import shutil
import sys
import threading
import time
import types

import numpy as np
import pytest

import twinflow as tf
from tests.drawing.test_screens import OutStream, Shown
from twinflow.base import progress
from twinflow.cli import main
from twinflow.drawing import bars, screens
from twinflow.formats.checkpoint_v2 import write_bundle


@pytest.fixture(autouse=True)
def shown_at_once(monkeypatch):
    monkeypatch.delenv("TWINFLOW_PROGRESS", raising=False)
    monkeypatch.setattr(progress, "PATIENCE", 0.2)


@pytest.fixture(autouse=True)
def drawn(monkeypatch):
    """A semaphore that each drawing releases."""
    show, found = bars.Bar.show, threading.Semaphore(0)

    def counted(self, phase):
        show(self, phase)
        found.release()

    monkeypatch.setattr(bars.Bar, "show", counted)
    return found


def working(drawn, steps=5):
    """Work of some steps, each of which waits until it has been drawn."""

    def work():
        with progress.operation("a -> b"):
            for _ in progress.over("writing nodes", range(steps)):
                assert drawn is None or drawn.acquire(timeout=20)

    return work


def on_a_terminal(monkeypatch, work):
    """What a terminal gets."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as out, monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", out)
        work()
        text = ""
        while not text.endswith("\n"):
            text += os.read(ours, 1 << 16).decode()
    os.close(ours)
    return re.split("[\b\r]+", text.replace("\r\n", "\n"))


def written_to_a_file(tmp_path, monkeypatch, work):
    with open(tmp_path / "log", "w+") as out:
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stderr", out)
            work()
        out.seek(0)
        return out.read()


def without_times(lines):
    """Lines without their ends."""
    return [re.sub(r" - (ETA: )?\d+s *\n?$", "", line).strip() for line in lines]


def bar_of(count):
    full = "=" * (4 * count - 1) + "=>"[count < 5] if count else ""
    return f"a -> b: writing nodes {count}/5 [{full:.<20}]"


def are_steps(lines):
    """Whether lines show the steps in their order: the first, some, and the end."""
    found = [line for line, _ in itertools.groupby(without_times(lines))]
    whole = [*map(bar_of, range(6)), "a -> b"]
    assert found == [line for line in whole if line in found] and len(found) > 3
    return found[0] == whole[0] and found[-1] == whole[-1]


def test_a_terminal_has_one_line(drawn, monkeypatch):
    first, *lines = on_a_terminal(monkeypatch, working(drawn))
    assert first == "" and "\n" not in "".join(lines[:-1])
    assert are_steps(lines)
    assert re.search(r"ETA: \d+s *$", lines[3])


def test_a_terminal_does_not_wrap(drawn, monkeypatch):
    def work():
        with progress.operation("x" * 200):
            assert drawn.acquire(timeout=20)

    assert {len(x.strip()) for x in on_a_terminal(monkeypatch, work)} == {0, 79}


def test_a_log_has_few_plain_lines(drawn, tmp_path, monkeypatch):
    log = written_to_a_file(tmp_path, monkeypatch, working(drawn, 1))
    assert without_times(log.splitlines()) == [bar_of(0)[:24] + "1 [" + "." * 20 + "]",
                                               "a -> b"]  # fmt: skip
    monkeypatch.setitem(screens.SECONDS, screens.LOG, 0.01)
    lines = written_to_a_file(tmp_path, monkeypatch, working(drawn)).splitlines()
    assert are_steps(lines)


def test_a_notebook_has_one_display(drawn, monkeypatch):
    found, out = Shown(), OutStream()
    module = types.SimpleNamespace(display=found.display)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    monkeypatch.setattr(sys, "stderr", out)
    working(drawn)()
    (display,) = found.all
    assert out.getvalue() == ""
    assert are_steps(display)


@pytest.mark.parametrize("ask", ["quick", "environment", "verbosity", "block"])
def test_silence(ask, tmp_path, monkeypatch):
    logger = logging.getLogger("tensorflow")
    level = logger.level
    if ask == "quick":
        monkeypatch.setattr(progress, "PATIENCE", 30.0)
    elif ask == "environment":
        monkeypatch.setenv("TWINFLOW_PROGRESS", "off")
    elif ask == "verbosity":
        tf.logging.set_verbosity(tf.logging.ERROR)
    with progress.quiet(ask == "block"):
        work = lambda: (working(None)(), time.sleep(0.4))
        assert written_to_a_file(tmp_path, monkeypatch, work) == ""
    logger.setLevel(level)


def test_what_lies_in_an_operation_is_part_of_it(drawn, tmp_path, monkeypatch):
    def nested():
        with progress.operation("outer"):
            for _ in progress.over("parts", [1]):
                working(drawn, 1)()

    lines = written_to_a_file(tmp_path, monkeypatch, nested).splitlines()
    assert [line[:8] for line in lines] == ["outer: p", "outer - "]


def test_what_is_often_short_has_a_thread_only_once_it_is_late(drawn, monkeypatch):
    def threads():
        return [t for t in threading.enumerate() if t.name == "twinflow-progress"]

    monkeypatch.setattr(progress, "PATIENCE", 0.5)
    with progress.operation("short", often=True):
        assert not [t for _ in progress.over("parts", [1]) for t in threads()]
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with progress.operation("long", often=True):
        for step in progress.over("parts", [1, 2]):
            assert step == 1 or (drawn.acquire(timeout=20) and threads())
    assert not threads()


def test_an_operation_that_fails_ends_its_line(drawn, tmp_path, monkeypatch):
    def failing():
        with pytest.raises(KeyError), progress.operation("failing"):
            assert drawn.acquire(timeout=20)
            raise KeyError

    log = written_to_a_file(tmp_path, monkeypatch, failing)
    assert without_times(log.splitlines()) == ["failing", "failing"]
    working(drawn, 1)()  # the next one has the screen


def test_where_nothing_can_be_written(drawn, monkeypatch):
    for out in (None, io.StringIO()):
        monkeypatch.setattr(sys, "stderr", out)
        if out is not None:
            out.close()
        working(drawn, 1)()


# ------------------------------------------------------------------ who says it
@pytest.fixture
def phases(monkeypatch):
    """What operations say that they do: (title, phase, total, done)."""
    found = []

    class Told(progress._Operation):
        def __setattr__(self, name, value):
            before = self.__dict__.get("phase")
            if name == "phase" and value is None and before is not None:
                found.append((self.title, before.text, before.total, before.done))
            super().__setattr__(name, value)

    monkeypatch.setattr(progress, "_Operation", Told)
    monkeypatch.setattr(progress, "PATIENCE", 30.0)
    return found


def test_checkpoints_say_it(tmp_path, phases, capsys):
    path = str(tmp_path / "ckpt")
    write_bundle(path, [(n, np.ones([3, 2], np.float32), None) for n in "abc"])
    for ending in "npz", "safetensors":
        target = f"{path}.{ending}"
        assert main.main(["ckpt", "to", "--quiet", path, target]) == 0
        assert not phases and not any(capsys.readouterr())
        assert main.main(["ckpt", "to", path, target]) == 0
        title = f"{path} -> {target}"
        assert phases == [(title, "reading", 72, 72), (title, "writing", 3, 3)]
        phases.clear()
        assert capsys.readouterr().err == ""


def model(path):
    with tf.Graph().as_default(), tf.Session():
        dense = tf.keras.layers.Dense
        model = tf.keras.Sequential([dense(3, input_shape=[2]), dense(1)])
        model.save(path)


def test_conversions_say_it(tmp_path, phases, capsys):
    source = str(tmp_path / "m.h5")
    model(source)
    assert not phases
    for target in "m.keras", "m.onnx", "m.tflite", "m":
        phases.clear()
        assert main.main(["convert", source, str(tmp_path / target)]) == 0
        texts = [text for _, text, *_ in phases]
        assert texts[0] == "reading layers" and texts[-1].startswith("writing")
        assert all(total == done for *_, total, done in phases)
    assert main.main(["convert", "-q", source, str(tmp_path / "n.keras")]) == 0
    assert "n.keras" not in capsys.readouterr().out


def test_onnx_says_it(tmp_path, phases):
    path = str(tmp_path / "m.onnx")
    weight = tf.Variable([[1.0]])
    with tf.Session() as session:
        session.run(weight.initializer)
        x = tf.placeholder(tf.float32, [None, 1])
        tf.onnx.export(session, path, outputs=tf.matmul(x, weight))
    tf.onnx.load(path)
    assert [p[:2] for p in phases] == [
        (f"writing {path}", "writing nodes"),
        (f"reading {path}", "bytes"), (f"reading {path}", "making variables"),
    ]  # fmt: skip


def test_files_of_the_cache_say_it(tmp_path, phases):
    content = tmp_path / "content"
    content.mkdir()
    (content / "a").write_bytes(b"12345")
    for kind in "gztar", "zip":
        made = shutil.make_archive(str(tmp_path / "x"), kind, content)
        phases.clear()
        tf.keras.utils.get_file(
            os.path.basename(made), f"file://{made}", extract=True,
            cache_dir=str(tmp_path / kind),
        )  # fmt: skip
        size = os.path.getsize(made)
        assert phases[0] == (os.path.basename(made), "copying", size, size)
        assert phases[1][1] == "unpacking"
        assert (tmp_path / kind / "datasets" / "a").read_bytes() == b"12345"


def test_stores_say_it(tmp_path, phases):
    pytest.importorskip("fsspec")
    (tmp_path / "a").write_bytes(bytes(9 << 20))
    tf.gfile.Copy(str(tmp_path / "a"), "memory://progress/a")
    tf.gfile.Copy("memory://progress/a", str(tmp_path / "b"))
    tf.gfile.Copy(str(tmp_path / "a"), str(tmp_path / "c"))
    size = 9 << 20
    tf.gfile.Rename(str(tmp_path / "a"), "memory://progress/c")
    texts = ["read", "sent", "read", "sent"]
    assert [p[1:] for p in phases] == [(text, size, size) for text in texts]
    tf.gfile.DeleteRecursively("memory://progress")


def test_data_says_it(tmp_path, phases):
    path = str(tmp_path / "a.tfrecord")
    with tf.Graph().as_default(), tf.Session() as session:
        data = tf.data.Dataset.from_tensor_slices([b"a", b"b", b"c"])
        mixed = [
            data.shuffle(2, seed=1),
            data.apply(tf.data.experimental.shuffle_and_repeat(2, 1, seed=1)),
        ]
        session.run(tf.data.experimental.TFRecordWriter(path).write(data))
        for one in mixed:
            element = one.make_one_shot_iterator().get_next()
            assert {session.run(element) for _ in range(3)} == {b"a", b"b", b"c"}
    assert phases == [
        (f"writing {path}", "records", None, 3),
        ("filling the buffer of shuffle", "elements", 2, 2),
        ("filling the buffer of shuffle_and_repeat", "elements", 2, 2),
    ]
