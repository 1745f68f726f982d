"""`twinflow ckpt`: what is in checkpoints."""

import json

import numpy as np
import pytest

from twinflow.base import dtypes
from twinflow.cli import main
from twinflow.formats.checkpoint_v2 import write_bundle
from twinflow.formats.safetensors import SafeTensors


@pytest.fixture
def prefixes(tmp_path):
    """Two checkpoints that differ in every way."""
    words = np.array([b"a"], object)
    first = [("w", np.zeros((2, 2), np.float32)), ("n", np.int64(3)), ("s", words)]
    second = [("w", np.eye(2, dtype=np.float32) / 2), ("m", np.int64(3)),
              ("s", np.array([b"b"], object)), ("x", np.zeros(3))]  # fmt: skip
    paths = [str(tmp_path / name) for name in ("one", "two")]
    for path, tensors in zip(paths, (first, second), strict=True):
        write_bundle(path, [(name, np.asarray(value), None) for name, value in tensors])
    return paths


def test_ls(prefixes, capsys):
    assert main.main(["ckpt", "ls", prefixes[0] + ".index"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["n", "int64[]", "8", "bytes"],
        ["s", "string[1]"],
        ["w", "float32[2,", "2]", "16", "bytes"],
        ["2", "tensors,", "5", "numbers"],
    ]


def test_show(prefixes, capsys):
    assert main.main(["ckpt", "show", prefixes[0], "n", "s", "w"]) == 0
    out = capsys.readouterr().out
    assert "n int64[]\n3\n" in out and "[b'a']" in out
    assert "w float32[2, 2]\n[[0. 0.]\n [0. 0.]]" in out


def test_diff(prefixes, capsys):
    assert main.main(["ckpt", "diff", *prefixes]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "- n", "+ m", "+ x", "~ s  other values", "~ w  2 of 4 differ, by at most 0.5",
    ]  # fmt: skip
    assert main.main(["ckpt", "diff", prefixes[0], prefixes[0]]) == 0
    assert capsys.readouterr().out == "no difference\n"


def test_what_is_not_there_is_said(prefixes, capsys):
    assert main.main(["ckpt", "show", prefixes[0], "nope"]) == 2
    assert "Key nope not found in checkpoint" in capsys.readouterr().err
    assert main.main(["ckpt", "ls", "nope"]) == 2
    assert "Failed to find any matching files for nope" in capsys.readouterr().err
    assert main.main(["ckpt", "diff", prefixes[0]]) == 2
    assert main.main(["ckpt"]) == 2
    assert "Try `twinflow ckpt --help`" in capsys.readouterr().err


def test_values_that_are_no_numbers_do_not_differ(tmp_path, capsys):
    path = str(tmp_path / "one")
    entries = [("c", np.complex64([1j, complex(0, np.nan)])), ("x", np.array([np.nan]))]
    write_bundle(path, [(name, value, None) for name, value in entries])
    assert main.main(["ckpt", "diff", path, path]) == 0
    assert capsys.readouterr().out == "no difference\n"


def test_values_as_files(prefixes, tmp_path, capsys):
    for ending, opened in ((".npz", np.load), (".safetensors", SafeTensors)):
        target = str(tmp_path / f"values{ending}")
        assert main.main(["ckpt", "to", prefixes[1], target]) == 0
        assert capsys.readouterr().out == f"{prefixes[1]} -> {target}: 3 tensors\n"
        assert opened(target) is not None
    found = np.load(tmp_path / "values.npz")
    assert sorted(found) == ["m", "w", "x"]
    assert found["m"] == 3 and found["w"].tolist() == [[0.5, 0], [0, 0.5]]
    assert main.main(["ckpt", "to", prefixes[0], str(tmp_path / "a.zip")]) == 2
    assert "should end with .npz or .safetensors" in capsys.readouterr().err


def test_values_that_numpy_cannot_keep(tmp_path):
    path = str(tmp_path / "one")
    half = np.ones(2, dtypes.bfloat16.as_numpy_dtype)
    write_bundle(path, [("half", half, None), ("file", np.zeros(1), None)])
    assert main.main(["ckpt", "to", path, f"{path}.npz"]) == 0
    found = np.load(f"{path}.npz")
    assert found["half"].dtype == np.float32 and found["file"].tolist() == [0]


def test_json(prefixes, capsys):
    assert main.main(["ckpt", "ls", "--json", prefixes[0]]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {"name": "n", "dtype": "int64", "shape": [], "bytes": 8},
        {"name": "s", "dtype": "string", "shape": [1], "bytes": None},
        {"name": "w", "dtype": "float32", "shape": [2, 2], "bytes": 16},
    ]
