"""The files of checkpoints: what TensorFlow 1.12 wrote, and what we write."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from twinflow.base import dtypes, errors
from twinflow.formats import checkpoint_v2
from twinflow.formats.sorted_table import read_table, read_varint, table, varint

GOLDEN = str(Path(__file__).parent / "data" / "tf112")  # see make_tf112.py


def parts(opened, name):
    """What write_bundle takes to write a tensor as it was written."""
    whole, entry = opened.read(name), opened.entries[name]
    if not entry.slices:
        return [(name, whole, None)]
    cuts = [checkpoint_v2.extent(part, whole.shape) for part in entry.slices]
    return [
        (name, whole[cut], (whole.shape, [(s.start, s.stop - s.start) for s in cut]))
        for cut in cuts
    ]


def test_a_checkpoint_of_tensorflow_is_read():
    opened = checkpoint_v2.Bundle(GOLDEN)
    random = np.random.RandomState(0)
    np.testing.assert_array_equal(opened.read("a"), random.rand(3, 4).astype("f"))
    np.testing.assert_array_equal(opened.read("scope/b"), random.rand(700))
    assert opened.dtype("h") == dtypes.bfloat16
    assert opened.read("c") == np.complex64(1 + 2j)
    assert opened.read("bo").tolist() == [True, False]
    assert opened.read("s").tolist() == [[b"x", b""], [b"hello", b"w" * 300]]
    assert opened.shape("e") == opened.read("e").shape == (0, 3)
    assert opened.read("layer_17/w") == 17
    assert len(opened.entries["p"].slices) == 3
    assert opened.read("p").shape == (10, 4)


def test_what_was_read_is_written_byte_by_byte_as_tensorflow_did(tmp_path):
    opened = checkpoint_v2.Bundle(GOLDEN)
    tensors = [t for name in opened.entries for t in parts(opened, name)]
    checkpoint_v2.write_bundle(str(tmp_path / "new" / "m"), tensors)
    for path in checkpoint_v2.data_path, checkpoint_v2.index_path:
        written = Path(path(str(tmp_path / "new" / "m"))).read_bytes()
        assert written == Path(path(GOLDEN)).read_bytes()
    assert len(os.listdir(tmp_path / "new")) == 2


@pytest.mark.parametrize("size", [0, 1, 40, 3000])
def test_a_table_of_many_blocks_holds_its_pairs(size):
    pairs = {f"{i:08d}".encode(): b"v" * (i % 500) for i in range(size)}
    assert read_table(table(pairs.items()), "a table") == pairs


@pytest.mark.parametrize("n", [0, 1, 127, 128, 300, 2**31, 2**63])
def test_varints_come_back(n):
    assert read_varint(varint(n) + b"rest", 0) == (n, len(varint(n)))


@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "float64", "int8", "uint16", "int64", "complex128"]
)
def test_every_dtype_comes_back(tmp_path, dtype):
    array = np.arange(6).reshape(2, 3).astype(dtypes.as_dtype(dtype).as_numpy_dtype)
    checkpoint_v2.write_bundle(str(tmp_path / "m"), [("x", array, None)])
    found = checkpoint_v2.Bundle(str(tmp_path / "m")).read("x")
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found, array)


def damaged(tmp_path, path_of, change):
    """A checkpoint of x and its prefix, one of whose files was changed."""
    prefix = str(tmp_path / "m")
    checkpoint_v2.write_bundle(prefix, [("x", np.arange(9.0), None)])
    path = Path(path_of(prefix))
    path.write_bytes(change(bytearray(path.read_bytes())))
    return prefix


def flipped(place):
    def change(data):
        data[place] ^= 1
        return data

    return change


@pytest.mark.parametrize("path_of, change, text", [
    (checkpoint_v2.data_path, flipped(8), "Checksum does not match: the bytes of x"),
    (checkpoint_v2.data_path, lambda d: d[:-1], "is cut off: x ends at byte 72"),
    (checkpoint_v2.index_path, flipped(3), "block checksum mismatch at byte 0"),
    (checkpoint_v2.index_path, lambda d: d[:-1], "bad magic number"),
    (checkpoint_v2.index_path, lambda d: b"", "bad magic number"),
])  # fmt: skip
def test_damage_is_noticed(tmp_path, path_of, change, text):
    prefix = damaged(tmp_path, path_of, change)
    with pytest.raises(errors.DataLossError, match=text):
        checkpoint_v2.Bundle(prefix).read("x")


def test_what_is_not_there_is_named(tmp_path):
    with pytest.raises(errors.NotFoundError, match=r"any matching files for .*nope"):
        checkpoint_v2.Bundle(str(tmp_path / "nope"))
    with pytest.raises(errors.NotFoundError, match="Key nope not found in checkpoint"):
        checkpoint_v2.Bundle(GOLDEN).read("nope")


@pytest.mark.parametrize("moment", ["fsync", "replace"])
@pytest.mark.parametrize("calls", [1, 2])
def test_a_failing_writer_leaves_what_was_there(tmp_path, monkeypatch, moment, calls):
    prefix = str(tmp_path / "m")
    checkpoint_v2.write_bundle(prefix, [("x", np.arange(3.0), None)])
    real, done = getattr(os, moment), []

    def failing(*args):
        done.append(args)
        if len(done) == calls:
            raise OSError(28, "No space left on device")
        return real(*args)

    monkeypatch.setattr(os, moment, failing)
    with pytest.raises(errors.ResourceExhaustedError, match="No space left"):
        checkpoint_v2.write_bundle(prefix, [("x", np.ones(5), None)])
    assert checkpoint_v2.Bundle(prefix).read("x").tolist() == [0, 1, 2]
    assert sorted(os.listdir(tmp_path)) == ["m.data-00000-of-00001", "m.index"]


KILLED = """
import os, sys
import numpy as np
from twinflow.formats.checkpoint_v2 import merge_bundles, write_bundle

real, calls = os.{0}, []
def dying(*args, **kwargs):
    calls.append(args)
    if len(calls) == {1}:
        os._exit(9)
    return real(*args, **kwargs)
os.{0} = dying
write_bundle(sys.argv[1], [("x", np.ones(5), None), ("y", np.ones(1), None)])
"""


@pytest.mark.parametrize("moment", [
    "fsync", "fsync 2", "link", "replace", "replace 2", "unlink"
])  # fmt: skip
def test_a_killed_writer_leaves_a_checkpoint(tmp_path, moment):
    prefix = str(tmp_path / "m")
    checkpoint_v2.write_bundle(prefix, [("x", np.arange(3.0), None)])
    name, _, call = moment.partition(" ")
    program = KILLED.format(name, call or 1)
    done = subprocess.run([sys.executable, "-c", program, prefix], timeout=60)
    assert done.returncode == 9
    new = [1] * 5 if moment == "unlink" else [0, 1, 2]
    assert checkpoint_v2.Bundle(prefix).read("x").tolist() == new
    checkpoint_v2.write_bundle(prefix, [("x", np.zeros(2), None)])
    assert checkpoint_v2.Bundle(prefix).read("x").tolist() == [0, 0]
    assert not os.path.exists(checkpoint_v2.data_path(prefix) + ".former")


MERGED = KILLED.replace(
    'write_bundle(sys.argv[1], [("x", np.ones(5), None), ("y", np.ones(1), None)])',
    'merge_bundles([sys.argv[1] + "_part"], sys.argv[1])',
)


@pytest.mark.parametrize("moment", ["fsync", "link", "replace", "replace 2", "unlink"])
def test_a_merge_that_is_killed_leaves_a_checkpoint(tmp_path, moment):
    """A sharded Saver writes over a checkpoint, as Estimators do at their start."""
    prefix = str(tmp_path / "m")
    checkpoint_v2.write_bundle(prefix, [("x", np.arange(3.0), None)])
    checkpoint_v2.write_bundle(prefix + "_part", [("x", np.ones(3), None)])
    name, _, call = moment.partition(" ")
    program = MERGED.format(name, call or 1)
    done = subprocess.run([sys.executable, "-c", program, prefix], timeout=60)
    assert done.returncode == 9
    new = [1, 1, 1] if moment == "unlink" else [0, 1, 2]
    assert checkpoint_v2.Bundle(prefix).read("x").tolist() == new
    checkpoint_v2.write_bundle(prefix, [("x", np.zeros(2), None)])
    assert checkpoint_v2.Bundle(prefix).read("x").tolist() == [0, 0]
    assert not os.path.exists(checkpoint_v2.data_path(prefix) + ".former")
