"""The golden programs, and what was once found missing, in processes of their own."""

import json
import pickle

import pytest

from tests.fresh.processes import outcomes
from tests.fresh.zygote import Program
from tests.golden import runner
from tests.golden.test_golden import HERE
from twinflow.ops.matrix.inverse import MatrixInverse

EACH = 8  # all of them would take minutes; these are some of every file


def golden():
    """Some of the golden programs."""
    found = []
    for path in sorted((HERE / "programs").glob("*.py")):
        eager = not runner.is_graph(str(path))
        found += [Program(s, str(path), eager) for _, s in runner.programs(path)]
    return found[::EACH]


@pytest.mark.parametrize("part", range(2))
def test_golden_programs_do_the_same_in_a_new_process(part, fresh, loaded):
    lines = [
        f"{program.path}: {program.source.strip()}\n  {found}\n  {wanted}"
        for program, found, wanted in outcomes(golden()[part::2], fresh, loaded)
        if found != wanted
    ]
    assert not lines, "\n".join(lines)


MISSED = {
    "the size of a sparse tensor": (
        True,
        "show(tf.size(tf.SparseTensor([[0, 0]], [1.], [2, 2])).numpy().tolist())",
        "4",
    ),
    "gradients of gather at unknown shapes": (
        False,
        "x = tf.placeholder(tf.float32)\n"
        "y = tf.gather(x, [0], axis=1)\n"
        "dx, = tf.gradients(y, x)\n"
        "show(tf.Session().run(dx, {x: [[1., 2.]]}).tolist())",
        [["1.0", "0.0"]],
    ),
    "the dense form of IndexedSlices": (
        True,
        "t = tf.convert_to_tensor(tf.IndexedSlices([[1., 2.]], [1], [3, 2]))\n"
        "show(t.numpy().tolist())",
        [["0.0", "0.0"], ["1.0", "2.0"], ["0.0", "0.0"]],
    ),
    "an op that is unpickled": (
        False,
        "import pickle\nshow(repr(pickle.loads(pickled)))",
        "<Op MatrixInverse>",
    ),
    "a meta graph with a queue": (
        False,
        "queue = tf.train.batch([tf.zeros([])], 2)\n"
        "meta = tf.train.Saver([tf.get_variable('v', [2])]).export_meta_graph()\n"
        "show(meta.collection_def['queue_runners'].WhichOneof('kind'))",
        "bytes_list",
    ),
    "the shape as a proto": (
        False,
        "show(tf.TensorShape([3]).as_proto().dim[0].size)",
        "3",
    ),
}


def _plain(noted):
    return [_plain(v) for v in noted["items"]] if "items" in noted else noted["str"]


@pytest.mark.parametrize("name", MISSED)
def test_what_was_missing_is_there(name, fresh):
    eager, source, wanted = MISSED[name]
    pickled = pickle.dumps(MatrixInverse)
    fresh.ask(Program(source, eager=eager, values={"pickled": pickled}))
    (shown,) = fresh.answer()
    assert "error" not in shown, json.dumps(shown)
    assert _plain(shown) == wanted
