"""Dumps: written by runs, read back, and exchanged with TensorFlow 1.12."""

import json
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from twinflow.tfdbg.dumps import names, values
from twinflow.tfdbg.dumps.datum import DebugTensorDatum
from twinflow.tfdbg.dumps.dump_dir import (
    DebugDumpDir,
    WatchKeyDoesNotExistInDebugDumpDirError,
)
from twinflow.tfdbg.dumps.watch_options import add_debug_tensor_watch, watch_graph

HERE = Path(__file__).parent
GOLDEN = str(HERE / "data" / "tf112")
# How often TensorFlow 1.12 dumps each tensor of make_dump.py.
TIMES = {
    "h/y:0": 1, "mul:0": 1, "v:0": 1, "v/read:0": 1, "i:0": 1, "while/Enter:0": 1,
    "while/Merge:0": 3, "while/Merge:1": 3, "while/Less/y:0": 3, "while/Less:0": 3,
    "while/LoopCond:0": 3, "while/Switch:0": 1, "while/Switch:1": 2,
    "while/Identity:0": 2, "while/add/y:0": 2, "while/add:0": 2,
    "while/NextIteration:0": 2, "while/Exit:0": 1,
}  # fmt: skip


def build():
    """The program of make_dump.py."""
    x = tf.placeholder(tf.float32, [2], name="x")
    v = tf.Variable([1.0, 2.0], name="v")
    y = tf.log(x * v, name="h/y")
    start = [tf.constant(1, name="i")]
    return x, v, y, tf.while_loop(lambda i: i < 3, lambda i: i + 1, start)


def run(folder, **watches):
    """Dump a run of it below a folder."""
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x, v, y, loop = build()
        sess.run(v.initializer)
        options = tf.RunOptions()
        watch_graph(options, graph, debug_urls=f"file://{folder}", **watches)
        sess.run([y, loop], {x: [1.0, -1.0]}, options=options)
    return DebugDumpDir(str(folder))


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    return run(tmp_path_factory.mktemp("dump"))


@pytest.fixture(params=["golden", "own"])
def either(request):
    """A dump of TensorFlow's, and one of twinflow's."""
    if request.param == "golden":
        return DebugDumpDir(GOLDEN)
    return request.getfixturevalue("dump")


def test_both_dump_the_same_tensors_as_often(either):
    found = Counter(d.tensor_name for d in either.dumped_tensor_data)
    assert {name: n for name, n in found.items() if name in TIMES} == TIMES


def test_both_hold_the_same_values(either):
    (y,) = either.get_tensors("h/y", 0, "DebugIdentity")
    np.testing.assert_array_equal(y, np.array([0.0, np.nan], np.float32))
    trips = either.get_tensors("while/Merge", 0, "DebugIdentity")
    assert [int(t) for t in trips] == [1, 2, 3]
    goes_on = either.get_tensors("while/LoopCond", 0, "DebugIdentity")
    assert [bool(t) for t in goes_on] == [True, True, False]


def test_the_filter_finds_the_first_bad_tensor(either):
    assert either.find(values.has_inf_or_nan, first_n=1)[0].tensor_name == "h/y:0"
    assert not either.find(values.has_inf_or_nan, exclude_node_names="h/.*")


def test_the_graph_of_a_dump(either):
    assert either.node_op_type("h/y") == "Log"
    assert either.node_inputs("h/y") == ["mul"]
    assert either.node_inputs("while/Merge") == ["while/Enter", "while/NextIteration"]
    assert set(either.node_recipients("v/read")) == {"mul"}
    assert either.find_some_path("v", "h/y") == ["v", "v/read", "mul", "h/y"]
    assert either.find_some_path("h/y", "v") is None
    assert not either.node_exists("u")
    assert either.core_metadata.output_names == ["h/y:0", "while/Exit:0"]
    assert either.core_metadata.input_names == ["x:0"]


def test_what_was_not_dumped_is_an_error(dump):
    with pytest.raises(WatchKeyDoesNotExistInDebugDumpDirError, match="h/y:0:Debug"):
        dump.get_tensors("h/y", 0, "DebugNanCount")
    with pytest.raises(OSError, match="does not exist"):
        DebugDumpDir("/nonexistent/folder")


@pytest.mark.interop
def test_tensorflow_reads_what_is_written(dump, tf112_python):
    command = [tf112_python, str(HERE / "load_dump.py"), dump._dump_root]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found, bad, outputs = json.loads(done.stdout.splitlines()[-1])
    assert Counter(key.rpartition(":")[0] for key, _ in found) == TIMES
    assert bad == ["h/y:0"] and outputs == ["h/y:0", "while/Exit:0"]


def test_a_dump_out_of_order_is_refused(tmp_path):
    root = run(tmp_path)._dump_root
    (path,) = Path(root).rglob("h/y_0_DebugIdentity_*")
    path.rename(path.with_name("y_0_DebugIdentity_1"))
    with pytest.raises(ValueError, match="Causality violated"):
        DebugDumpDir(root)
    assert DebugDumpDir(root, validate=False).size


def test_debug_ops(tmp_path):
    ops = ["DebugNanCount", "DebugNumericSummary(lower_bound=0.5)"]
    found = run(tmp_path, debug_ops=ops, node_name_regex_whitelist="h/|mul")
    (nans,) = found.get_tensors("h/y", 0, "DebugNanCount")
    assert nans.tolist() == [1] and nans.dtype == np.int64
    (summary,) = found.get_tensors("mul", 0, "DebugNumericSummary")
    # initialized, count, NaN, below 0.5, -, 0, +, inf, min, max, mean, variance, ...
    assert summary.tolist() == [1, 2, 0, 1, 0, 0, 1, 0, -2, 1, -0.5, 2.25, 1, 1, 2]


@pytest.mark.parametrize(
    ("watch", "error", "text"),
    [
        (dict(debug_urls="ftp://localhost:1"), tf.errors.UnimplementedError, "file:/"),
        (dict(debug_ops="DebugFoo"), tf.errors.UnimplementedError, "DebugIdentity"),
        (dict(node_name="s", debug_ops="DebugNanCount"),
         tf.errors.InvalidArgumentError, "numbers"),
    ],
)  # fmt: skip
def test_watches_that_cannot_be(tmp_path, watch, error, text):
    options = tf.RunOptions()
    arguments = {"node_name": "y", "debug_urls": f"file://{tmp_path}", **watch}
    add_debug_tensor_watch(options, **arguments)
    with tf.Graph().as_default(), tf.Session() as sess:
        y = tf.add(tf.constant(1.0), 2.0, name="y")
        s = tf.string_join([tf.constant("a"), "b"], name="s")
        with pytest.raises(error, match=text):
            sess.run([y, s], options=options)


def test_bytes_are_limited(tmp_path, monkeypatch):
    monkeypatch.setenv("TFDBG_DISK_BYTES_LIMIT", "10")
    with pytest.raises(ValueError, match="TFDBG_DISK_BYTES_LIMIT"):
        run(tmp_path, reset_disk_byte_usage=True)


def test_values_are_of_this_time_only(tmp_path):
    """A variable is dumped as it is when a node reads it, not as it is left."""
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        v = tf.Variable(10.0, name="v")
        more = tf.assign_add(v, 1.0, name="more")
        sess.run(v.initializer)
        options = tf.RunOptions()
        watch_graph(options, graph, debug_urls=f"file://{tmp_path}")
        sess.run(more, options=options)
    found = DebugDumpDir(str(tmp_path))
    assert [float(x) for x in found.get_tensors("v", 0, "DebugIdentity")] == [10.0]
    assert [float(x) for x in found.get_tensors("more", 0, "DebugIdentity")] == [11.0]


def test_loops_in_loops_and_branches(tmp_path):
    with tf.Graph().as_default() as graph, tf.Session() as sess:

        def inner(j):
            step = tf.cond(j > 1, lambda: j * 2, lambda: j + 1)
            return tf.identity(step, name="stepped")

        def outer(i, total):
            found = tf.while_loop(lambda j: j < 4, inner, [i])
            return i + 1, total + found

        zero = tf.constant(0)
        total = tf.while_loop(lambda i, _: i < 2, outer, [zero, zero])[1]
        options = tf.RunOptions()
        watch_graph(options, graph, debug_urls=f"file://{tmp_path}")
        assert sess.run(total, options=options) == 8
    found = DebugDumpDir(str(tmp_path))
    (name,) = {d.node_name for d in found.dumped_tensor_data
               if d.node_name.endswith("stepped")}  # fmt: skip
    steps = [int(x) for x in found.get_tensors(name, 0, "DebugIdentity")]
    assert steps == [1, 2, 4, 2, 4]


@pytest.mark.parametrize(
    "device",
    ["/job:localhost/replica:0/task:0/device:CPU:0", "/job:worker/task:1/device:GPU:2"],
)
def test_devices_are_folders(device):
    folder = names.device_name_to_device_path(device)
    assert "/" not in folder and names.device_path_to_device_name(folder) == device


def test_names_of_files():
    path = "_tfdbg_device_,job_localhost,device_CPU_0/a/b_1_DebugIdentity_77-2"
    datum = DebugTensorDatum("/x", path)
    assert (datum.watch_key, datum.timestamp) == ("a/b:1:DebugIdentity", 77)
    assert datum.extended_timestamp == "77-2" and datum.dump_size_bytes is None
    with pytest.raises(ValueError, match="naming pattern"):
        DebugTensorDatum("/x", "_tfdbg_device_,job_localhost/a_b")
    assert names.parse_debug_node_name("__dbg_a_b:1_0_DebugNanCount") == (
        "a_b", 1, 0, "DebugNanCount",
    )  # fmt: skip
    for name in ("a", "__dbg_a_0_Debug", "__dbg_a:0_x_Debug"):
        with pytest.raises(ValueError, match="nvalid"):
            names.parse_debug_node_name(name)
