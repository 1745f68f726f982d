"""Compiled programs on disk, and the settings in the environment."""

import os
import subprocess
import sys

import pytest

import twinflow as tf
from twinflow.base import compile_cache
from twinflow.cli.main import main
from twinflow.graph.program import build

PROGRAM = """
import twinflow as tf
from tests.ways import plans
tf.enable_eager_execution()
f = tf.contrib.eager.defun(lambda x: tf.tanh(x * 2.0) + x)
x = tf.ones([8])
for _ in range(3):
    f(x)
from twinflow.execute.worker import WORKER
import sys
print([e.state for p in plans(f, x) for c in p.clusters for e in c.entries.values()])
if "jax" in sys.modules:
    import jax
    print(jax.config.jax_compilation_cache_dir, jax.config.jax_enable_x64)
    print(jax.config.jax_persistent_cache_min_entry_size_bytes)
"""


def run(folder, program=PROGRAM, **variables):
    """(exit code, standard output, standard error) of a program with settings."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder), **variables}
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=300
    )
    return done.returncode, done.stdout, done.stderr


def test_what_is_compiled_is_kept_and_taken_again(tmp_path):
    switches = {"TWINFLOW_COMPILE": "wait", "TWINFLOW_COMPILE_CACHE": "on"}
    code, out, err = run(tmp_path, **switches)
    assert (code, out.splitlines()) == (0, ["['chosen']", "None False", "0"]), err
    kept = sorted(p for p in tmp_path.rglob("*.xla"))
    assert kept
    before = [p.stat().st_mtime_ns for p in kept]
    code, out, err = run(tmp_path, **switches)
    assert code == 0 and out.startswith("['chosen']"), err
    assert sorted(p for p in tmp_path.rglob("*.xla")) == kept
    assert [p.stat().st_mtime_ns for p in kept] == before


@pytest.mark.parametrize("left", [0, 3, 200])
def test_half_an_entry_is_written_anew_without_a_word(tmp_path, left):
    switches = {"TWINFLOW_COMPILE": "wait", "TWINFLOW_COMPILE_CACHE": "on"}
    run(tmp_path, **switches)
    kept = {p: p.read_bytes() for p in tmp_path.rglob("*.xla")}
    for path, whole in kept.items():
        path.write_bytes(whole[:left])
    code, out, err = run(tmp_path, **switches)
    assert (code, out[:10], err) == (0, "['chosen']", "")
    assert all(len(p.read_bytes()) > 1000 for p in kept)
    assert set(tmp_path.rglob("*.xla*")) == set(kept)


def test_variables_of_a_loop_come_in_the_order_of_their_use():
    """Else the next process would compile another text, and find nothing."""
    with tf.Graph().as_default() as graph:
        variables = [tf.get_variable(f"v{i}", []) for i in range(12)]
        used = variables[::-1]
        body = lambda i, x: (i + 1, x + tf.add_n(used))  # reads them in the loop
        loop = tf.while_loop(lambda i, x: i < 3, body, (0, 0.0))
    program = build(graph, [loop[1]])
    [node] = [n for n in program.nodes if n.type == "While"]
    cells = [program.reference(v._ref()).op.attrs["cell"] for v in used]
    assert list(program.touched(node)[0]) == cells


def test_the_switch_turns_it_off(tmp_path):
    switches = {"TWINFLOW_COMPILE": "wait", "TWINFLOW_COMPILE_CACHE": "off"}
    code, out, err = run(tmp_path, **switches)
    assert code == 0 and out.startswith("['chosen']"), err
    assert not list(tmp_path.rglob("*"))


def test_never_compiles_nothing(tmp_path):
    code, out, err = run(tmp_path, TWINFLOW_COMPILE="never")
    assert (code, out.splitlines()) == (0, ["[]"]), err


def test_a_setting_that_does_not_exist(tmp_path):
    code, _, err = run(tmp_path, TWINFLOW_COMPILE="sometimes")
    assert code and "TWINFLOW_COMPILE is 'sometimes'; expected 'auto'" in err


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache with three files of 10 bytes, the oldest first."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(compile_cache.SWITCH, "on")
    folder = compile_cache.folder()
    for age, name in enumerate("abc"):
        path = folder / name
        path.write_bytes(bytes(10))
        os.utime(path, (1e9 + age, 1e9 + age))
    return folder


def test_what_was_not_used_for_longest_goes_first(cache):
    compile_cache.trim(25)
    assert [e.path.name for e in compile_cache.entries()] == ["c", "b"]
    assert [e.bytes for e in compile_cache.clear()] == [10, 10]
    assert not cache.exists() and compile_cache.entries() == []


def test_the_command(cache, capsys):
    assert main(["cache", "ls"]) == 0
    listed = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in listed[:3]] == ["c", "b", "a"]
    assert listed[3].startswith("3 files, 30 bytes in ")
    assert main(["cache", "clear"]) == 0 and not cache.exists()
    assert capsys.readouterr().out.startswith("3 files, 30 bytes removed from ")
    assert main(["cache", "all"]) == 2 and main(["cache", "--help"]) == 0


def test_a_folder_that_cannot_be_made(tmp_path, monkeypatch):
    monkeypatch.setenv(compile_cache.SWITCH, "on")
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert compile_cache.folder() is None
    monkeypatch.setenv(compile_cache.SWITCH, "perhaps")
    with pytest.raises(ValueError, match="TWINFLOW_COMPILE_CACHE is 'perhaps'"):
        compile_cache.folder()
