"""Checkpoints that are cut off or do not fit: it is said, and nothing is changed."""

from contextlib import nullcontext

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager, graph
from twinflow.formats import checkpoint_v2

__all__ = ["eager", "graph"]

tfe = tf.contrib.eager
DamagedError = tf.errors.DataLossError


@pytest.fixture(params=["eager", "graph"])
def mode(request):
    request.getfixturevalue(request.param)
    return request.param


class Program:
    """Saves and restores in one of the modes."""

    def __init__(self, mode):
        self.eager = mode == "eager"
        self.session = None if self.eager else tf.Session()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        if self.session is not None:
            self.session.close()

    def variable(self, value, name="v"):
        made = tfe.Variable(value, name=name)
        if self.session is not None:
            self.session.run(made.initializer)
        return made

    def value(self, variable):
        return variable.numpy() if self.eager else self.session.run(variable)

    def save(self, kind, variables, path):
        if kind == "saver":
            return tf.train.Saver(variables).save(self.session, path)
        return tfe.Checkpoint(**variables).save(path, self.session)

    def restore(self, kind, variables, path):
        if kind == "saver":
            tf.train.Saver(variables).restore(self.session, path)
            return None
        status = tfe.Checkpoint(**variables).restore(path)
        with nullcontext() if self.eager else self.session.graph.as_default():
            status.initialize_or_restore(self.session)
        return status


KIND = pytest.mark.parametrize("kind", ["saver", "objects"])


@KIND
def test_other_shapes_are_named(tmp_path, mode, kind):
    with Program(mode) as program:
        old = program.variable(np.zeros([2, 3], np.float32))
        path = program.save(kind, {"x": old}, str(tmp_path / "m"))
        fits = program.variable(np.ones([2, 3], np.float32), "fits")
        wide = program.variable(np.ones([3, 3], np.float32), "wide")
        both = program.save(kind, {"w": fits, "x": old}, str(tmp_path / "n"))
        for where, given in (path, {"x": wide}), (both, {"w": fits, "x": wide}):
            with pytest.raises((ValueError, tf.errors.InvalidArgumentError)) as raised:
                program.restore(kind, given, where)
            text = str(raised.value)
            assert "wide" in text and where in text and "x" in text
            assert "3, 3" in text or "[3,3]" in text
            assert "2, 3" in text or "[2,3]" in text
        assert (program.value(wide) == 1).all()


@KIND
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_other_dtypes_are_named(tmp_path, mode, kind, dtype):
    with Program(mode) as program:
        old = program.variable(np.float32([1.5]))
        path = program.save(kind, {"x": old}, str(tmp_path / "m"))
        other = program.variable(np.array([7], dtype), "other")
        name = np.dtype(dtype).name
        text = f"dtype ({name}|double) does not equal original dtype float"
        with pytest.raises(tf.errors.InvalidArgumentError, match=text) as raised:
            program.restore(kind, {"x": other}, path)
        assert path in str(raised.value)
        assert program.value(other).tolist() == [7]


def test_an_unknown_key_is_named(tmp_path, mode):
    with Program(mode) as program:
        v = program.variable(1.0)
        path = program.save("saver", {"x": v}, str(tmp_path / "m"))
        w = program.variable(2.0, "w")
        with pytest.raises(tf.errors.NotFoundError, match="Key y not found") as raised:
            program.restore("saver", {"x": v, "y": w}, path)
        assert "a Variable name or other graph key that is missing" in str(raised.value)
        assert program.value(w) == 2


def test_objects_that_are_unknown_wait(tmp_path, mode, caplog, capsys):
    with Program(mode) as program:
        saved = {"x": program.variable(1.0)}
        path = program.save("objects", saved, str(tmp_path / "m"))
        w = program.variable(2.0, "w")
        status = program.restore("objects", {"y": w}, path)
        assert "has a name that the objects have; nothing is restored" in (
            caplog.text + capsys.readouterr().err
        )
        with pytest.raises(AssertionError, match="not bound to checkpointed values"):
            status.assert_existing_objects_matched()
        assert program.value(w) == 2


def test_a_saver_on_objects_looks_at_shapes_and_dtypes(tmp_path, eager):
    path = tfe.Checkpoint(x=tfe.Variable([1.5], name="v")).save(str(tmp_path / "m"))
    for value, error in ([1.0, 2.0], ValueError), ([1], tf.errors.InvalidArgumentError):
        v = tfe.Variable(value, name="v")
        with pytest.raises(error):
            tf.train.Saver([v]).restore(None, path)
        assert v.numpy().tolist() == value


# ------------------------------------------------------------------ cut off
@KIND
@pytest.mark.parametrize("part", ["index", "data-00000-of-00001"])
def test_files_that_are_cut_off(tmp_path, mode, kind, part):
    """At each of many lengths it is said; the variable keeps its value."""
    with Program(mode) as program:
        v = program.variable(np.arange(40, dtype=np.float32))
        path = program.save(kind, {"x": v}, str(tmp_path / "m"))
        whole = (tmp_path / f"{path.rpartition('/')[2]}.{part}").read_bytes()
        file = tmp_path / f"{path.rpartition('/')[2]}.{part}"
        other = program.variable(np.full(40, 7, np.float32), "other")
        if kind == "saver":
            saver = tf.train.Saver({"x": other})
        for size in sorted(
            {0, 1, 2, 47, 48, *range(5, len(whole), 23), len(whole) - 1}
        ):
            file.write_bytes(whole[: min(size, len(whole) - 1)])
            with pytest.raises(DamagedError) as raised:
                if kind == "saver":
                    saver.restore(program.session, path)
                else:
                    program.restore(kind, {"x": other}, path)
            assert str(file) in str(raised.value) or path in str(raised.value)
            assert (program.value(other) == 7).all()
        file.write_bytes(whole)
        program.restore(kind, {"x": other}, path)
        assert program.value(other)[39] == 39


def test_any_byte_of_the_index_that_is_changed_is_noticed(tmp_path):
    prefix = str(tmp_path / "m")
    checkpoint_v2.write_bundle(
        prefix, [("x", np.arange(3.0), None), ("y", np.ones(2), None)]
    )
    path = tmp_path / "m.index"
    whole = path.read_bytes()
    wanted = [checkpoint_v2.Bundle(prefix).read(n).tolist() for n in "xy"]
    unnoticed = []
    for place in range(len(whole)):
        data = bytearray(whole)
        data[place] ^= 0x55
        path.write_bytes(data)
        try:
            opened = checkpoint_v2.Bundle(prefix)
            found = [opened.read(n).tolist() for n in "xy"]
        except (DamagedError, tf.errors.NotFoundError):
            continue
        if found != wanted:
            unnoticed.append(place)
    assert not unnoticed
