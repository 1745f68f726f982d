"""Files in stores behind schemes: fsspec's memory, and a server of HTTP."""

import functools
import http.server
import re
import subprocess
import sys
import threading
import uuid

import fsspec
import pytest

import twinflow as tf
from tests.source_tree import ROOT
from twinflow.base import dispatch, errors, stores
from twinflow.eager.mode import MODE
from twinflow.tfdbg.dumps.watch_options import watch_graph
from twinflow.tfdbg.sessions.dumping import DumpingDebugWrapperSession
from twinflow.tfdbg.sessions.local_cli import LocalCLIDebugWrapperSession

g = tf.gfile


@pytest.fixture(autouse=True)
def eager():
    with dispatch.entered(MODE):
        yield


@pytest.fixture(params=["", "run/deep"])
def root(request):
    name = uuid.uuid4().hex + request.param
    yield f"memory://{name}"
    fsspec.filesystem("memory").store.clear()


@pytest.fixture
def server(tmp_path):
    """The address of a server of the files in a folder, and the folder."""
    handler = functools.partial(_Quiet, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", tmp_path
    server.shutdown()
    server.server_close()
    thread.join(10)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def written(path, text):
    with g.GFile(path, "w") as f:
        f.write(text)


def test_files_are_written_appended_and_read(root):
    path = root + "/a.txt"
    written(path, "one\ntwo\n")
    with g.GFile(path, "a") as f:
        f.write("three\n")
    assert list(g.GFile(path)) == ["one\n", "two\n", "three\n"]
    with g.GFile(path, "rb") as f:
        f.seek(4)
        assert f.read(3) == b"two" and f.tell() == 7
    assert g.Stat(path).length == 14 and g.Stat(path).mtime_nsec > 0


def test_folders_are_listed_walked_and_matched(root):
    g.MakeDirs(root + "/a/b")
    for name in ("x-1", "x-2", "y"):
        written(f"{root}/a/{name}", name)
    assert sorted(g.ListDirectory(root + "/a")) == ["b", "x-1", "x-2", "y"]
    assert g.Glob(root + "/a/x-?") == [root + "/a/x-1", root + "/a/x-2"]
    assert g.Glob(root + "/a/y") == [root + "/a/y"] and g.Glob(root + "/no") == []
    (top, folders, files), _ = g.Walk(root + "/a")
    assert (top, folders, files) == (root + "/a", ["b"], ["x-1", "x-2", "y"])
    g.DeleteRecursively(root + "/a")
    assert not g.Exists(root + "/a/y")


def test_files_are_copied_and_moved_within_and_between(root, tmp_path):
    here = str(tmp_path / "here")
    written(here, "text")
    g.Copy(here, root + "/there")
    g.Rename(root + "/there", root + "/then")
    with pytest.raises(errors.AlreadyExistsError):
        g.Copy(here, root + "/then")
    g.Copy(root + "/then", str(tmp_path / "back"))
    assert (tmp_path / "back").read_text() == "text"
    assert not g.Exists(root + "/there")


def test_a_folder_moves_with_what_is_in_it(root):
    for name in ("saved_model.pb", "variables/variables.index"):
        written(f"{root}/part/{name}", name)
    g.Rename(root + "/part", root + "/whole")
    assert g.Exists(root + "/whole/variables/variables.index")
    assert not g.Exists(root + "/part/saved_model.pb")


def test_what_is_not_there_is_a_tensorflow_error(root):
    with pytest.raises(errors.NotFoundError, match=root + "/no; No such file"):
        g.GFile(root + "/no").read()
    with pytest.raises(errors.NotFoundError):
        g.Stat(root + "/no")


def test_a_block_that_fails_leaves_what_was_there(root):
    path = root + "/a"
    written(path, "whole")
    with pytest.raises(ZeroDivisionError), stores.opened(path, "wb") as file:
        file.write(b"half")
        raise ZeroDivisionError
    assert g.GFile(path).read() == "whole"


def test_nothing_of_a_file_is_seen_before_it_is_closed(root):
    path = root + "/a"
    with g.GFile(path, "w") as file:
        file.write("half")
        assert not g.Exists(path)
        file.flush()
        assert g.GFile(path).read() == "half"
        file.write(" and half")
        assert g.GFile(path).read() == "half"
    assert g.GFile(path).read() == "half and half"


def test_records_lines_and_pieces_are_read(root):
    for i in range(2):
        with tf.python_io.TFRecordWriter(f"{root}/{i}.tfrecord") as writer:
            writer.write(b"%d" % i * 3)
        written(f"{root}/{i}.txt", f"a{i}\nb{i}\n")
    values = lambda dataset: [x.numpy() for x in dataset]
    names = tf.data.Dataset.list_files(root + "/*.tfrecord", shuffle=False)
    assert values(names.interleave(tf.data.TFRecordDataset, 2)) == [b"000", b"111"]
    lines = tf.data.TextLineDataset([root + "/0.txt", root + "/1.txt"])
    assert values(lines) == [b"a0", b"b0", b"a1", b"b1"]
    pieces = tf.data.FixedLengthRecordDataset(root + "/1.txt", 2, header_bytes=2)
    assert values(pieces) == [b"\nb", b"1\n"]
    assert tf.read_file(root + "/0.txt").numpy() == b"a0\nb0\n"


def test_a_cut_off_record_is_named(root):
    with tf.python_io.TFRecordWriter(root + "/a") as writer:
        writer.write(b"one")
    data = g.GFile(root + "/a", "rb").read()
    with g.GFile(root + "/a", "wb") as f:
        f.write(data[:-2])
    with pytest.raises(errors.DataLossError, match=f"record at 0 of {root}/a"):
        list(tf.python_io.tf_record_iterator(root + "/a"))


def test_http(server):
    address, folder = server
    with tf.python_io.TFRecordWriter(str(folder / "a.tfrecord")) as writer:
        for i in range(20):
            writer.write(b"%d" % i)
    (folder / "a.txt").write_text("one\ntwo\n")
    records = tf.data.TFRecordDataset(address + "/a.tfrecord").skip(18)
    assert [x.numpy() for x in records] == [b"18", b"19"]
    assert g.GFile(address + "/a.txt").readlines() == ["one\n", "two\n"]
    assert g.Exists(address + "/a.txt") and not g.Exists(address + "/b.txt")
    with pytest.raises(errors.NotFoundError):
        list(tf.data.TextLineDataset(address + "/b.txt"))
    with pytest.raises(errors.OpError):
        written(address + "/b.txt", "no")


def test_schemes_without_their_package_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    text = r"File system scheme 's3' not implemented \(file: 's3://b/k'\). Install s3fs"
    with pytest.raises(errors.UnimplementedError, match=text):
        g.GFile("s3://b/k").read()
    with pytest.raises(errors.UnimplementedError, match="scheme 'foo' not implemented"):
        g.Exists("foo://a")


def test_without_fsspec_the_error_names_the_extra(monkeypatch):
    from twinflow.base import remote_stores

    monkeypatch.setattr(remote_stores, "fsspec", None)
    with pytest.raises(errors.UnimplementedError, match=r"twinflow\[remote-files\]"):
        g.Exists("gs://bucket/a")


def test_fsspec_is_not_loaded_before_the_first_such_path(tmp_path):
    code = (
        "import sys, twinflow as tf; tf.gfile.Exists('file:///a'); tf.gfile.Glob('*');"
        "assert 'fsspec' not in sys.modules; tf.gfile.Exists('memory://a');"
        "assert 'fsspec' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=100, cwd=tmp_path)


# Modules that make folders by `os` or `pathlib`, and why no store is asked for there.
LOCAL_FOLDERS = {
    "base/compile_cache.py": "the cache of this machine",
    "base/unfinished.py": "asked is_remote before",
    "cli/notebooks/plots.py": "pictures of a run, beside the notebook",
    "cli/samples/making.py": "look-alikes of data sets, for scripts that look there",
    "compat/door/absent.py": "what distutils does, to scripts that use it",
    "execute/debug_places.py": "refuses stores",
    "execute/swaps.py": "tensors that do not fit, in the temporary folder",
    "keras/utils/data_files.py": "the cache of this machine",
    "tfdbg/sessions/dumping.py": "refuses stores",
    "tfdbg/sessions/local_cli.py": "refuses stores",
    "verification/scripts.py": "a temporary folder",
}


def test_folders_are_made_in_stores_too():
    """`os.makedirs("memory://a")` makes a folder `memory:` where the program runs."""
    found = set()
    for path in (ROOT / "twinflow").rglob("*.py"):
        name = path.relative_to(ROOT / "twinflow").as_posix()
        if re.search(r"(?<!stores)\.(makedirs|mkdir)\(", path.read_text()):
            found.add(name)
    assert found - {"base/stores.py", "base/remote_stores.py"} == set(LOCAL_FOLDERS)


def test_dumps_and_meta_graphs_make_no_folder_named_after_a_scheme(
    root, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    with tf.Graph().as_default():
        c = tf.constant(1.0)
        tf.train.export_meta_graph(root + "/deep/er/graph.meta")
        assert g.Exists(root + "/deep/er/graph.meta")
        session = tf.Session()
        with pytest.raises(ValueError, match="of this machine"):
            DumpingDebugWrapperSession(session, root + "/dumps")
        with pytest.raises(ValueError, match="of this machine"):
            LocalCLIDebugWrapperSession(session, dump_root=root)
        options = tf.RunOptions()
        watch_graph(options, session.graph, debug_urls=f"file://{root}")
        with pytest.raises(errors.UnimplementedError, match="dumps into files and to"):
            session.run(c, options=options)
    assert not list(tmp_path.iterdir())
