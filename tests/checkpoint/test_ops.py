"""The ops that save and restore, in each mode."""

import pytest

import twinflow as tf
from tests.ways import eager
from twinflow.ops.files import checkpoints as ops
from twinflow.ops.files.checkpoints import apply


def test_a_graph_saves_and_restores(tmp_path):
    prefix = str(tmp_path / "m")
    with tf.Graph().as_default(), tf.Session() as sess:
        tensors = [tf.constant([1.0, 2.0]), tf.constant(["x"])]
        sess.run(ops.save_v2(prefix, ["a", "b"], ["", ""], tensors))
        a, b = ops.restore_v2(prefix, ["a", "b"], ["", ""], [tf.float32, tf.string])
        assert sess.run([a, b])[0].tolist() == [1.0, 2.0]
        assert sess.run(b).tolist() == [b"x"]


def test_eager_mode_saves_and_restores(tmp_path):
    with eager():
        ops.save_v2(str(tmp_path / "m"), ["a"], [""], [tf.constant([[3]])])
        (a,) = ops.restore_v2(str(tmp_path / "m"), ["a"], [""], [tf.int32])
    assert a.numpy().tolist() == [[3]]


@pytest.fixture
def halves(tmp_path):
    """A bundle of one tensor, written in halves by two writers and merged."""
    prefixes = [str(tmp_path / name / "m") for name in ("one", "two")]
    with eager():
        for prefix, start in zip(prefixes, (0, 2), strict=True):
            part = tf.constant([start + 1.0, start + 2.0])
            ops.save_v2(prefix, ["a"], [f"4 {start},2"], [part])
        apply(ops.MergeV2Checkpoints, (prefixes, str(tmp_path / "all")))
    return tmp_path / "all"


def restored(prefix, name, part="", dtype=tf.float32):
    with eager():
        (found,) = ops.restore_v2(str(prefix), [name], [part], [dtype])
    return found.numpy().tolist()


def test_merged_parts_are_one_tensor(halves):
    assert restored(halves, "a") == [1, 2, 3, 4]
    assert restored(halves, "a", "4 1,2") == [2, 3]
    left = sorted(path.name for path in halves.parent.iterdir())
    data = [f"all.data-0000{i}-of-00002" for i in range(2)]
    assert left == [*data, "all.index"]


@pytest.mark.parametrize("args, error, text", [
    (("b",), tf.errors.NotFoundError, "Key b not found in checkpoint"),
    (("a", "", tf.int32), tf.errors.InvalidArgumentError,
     "expected dtype int32 does not equal original dtype float"),
    (("a", "5 0,2"), tf.errors.InvalidArgumentError,
     r"has shape \[4\] in the checkpoint, but \[5\]"),
    (("a", "4 x"), tf.errors.InvalidArgumentError, "got '4 x'"),
])  # fmt: skip
def test_what_does_not_fit_is_named(halves, args, error, text):
    with pytest.raises(error, match=text):
        restored(halves, *args)


def test_names_of_shards():
    with eager():
        name = apply(ops.ShardedFilename, ("m", 1, 3)).numpy()
        spec = apply(ops.ShardedFilespec, ("m", 3)).numpy()
    assert (name, spec) == (b"m-00001-of-00003", b"m-?????-of-00003")
