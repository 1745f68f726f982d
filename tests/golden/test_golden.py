"""Small programs, with what TensorFlow 1.12 makes of them in NAME.json beside them.

Made anew by ``TF112_PYTHON=... python -m tests.golden.make``. What differs on purpose
is marked in the program's title, with the reason.
"""

import contextlib
import json
import re
from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import twinflow as tf
from tests.golden import runner
from tests.modes import fresh
from twinflow.base import dispatch
from twinflow.contrib import eager as tfe
from twinflow.eager.mode import MODE
from twinflow.ops.random.setting import setting

HERE = Path(__file__).parent
TOLERANCE = {"float16": 2e-3, "float32": 2e-6, "complex64": 2e-6}


def _cases():
    for path in sorted((HERE / "programs").glob("*.py")):
        golden = json.loads(path.with_suffix(".json").read_text())
        for name, source in runner.programs(path):
            yield pytest.param(path, source, golden[name], id=f"{path.stem}: {name}")


@pytest.mark.parametrize(("path", "source", "golden"), list(_cases()))
def test_program(path, source, golden, request):
    name = request.node.callspec.id.partition(": ")[2]
    original = path.stem.endswith("random_numbers")
    with _mode(path), mock.patch.object(setting, "original", original):
        fresh()
        found = runner.run(source, str(path), tf, tfe)
    found = json.loads(json.dumps(found))
    if re.search(rf"^# --- {re.escape(name)} +\|", path.read_text(), re.M):
        with pytest.raises(AssertionError):
            _compare(found, golden, path)
    else:
        _compare(found, golden, path)


def _mode(path):
    graph = runner.is_graph(str(path))
    return contextlib.nullcontext() if graph else dispatch.entered(MODE)


def test_an_eager_program_starts_with_an_empty_default_graph():
    tf.constant(1.0)
    with dispatch.entered(MODE):
        found = runner.run("show(tf.get_default_graph().get_operations())", "", tf, tfe)
    assert found == [{"kind": "list", "items": []}]


def _compare(found, golden, path):
    assert len(found) == len(golden), f"{found} != {golden}"
    for a, b in zip(found, golden, strict=True):
        _compare_one(a, b)
        if "error" in b and runner.is_graph(str(path)):
            assert _message(a["text"]) == _message(b["text"])


def _message(text):
    """An error's text without a number that counts everything there has been."""
    return re.sub(r"(TensorArray \w+?)_\d+:", r"\1_N:", text)


def _compare_one(a, b):
    if "error" in b:
        assert (a.get("error"), a.get("line")) == (b["error"], b["line"]), f"{a}\n{b}"
        return
    assert a.get("kind") == b["kind"], f"{a} != {b}"
    if "items" in b:
        assert len(a["items"]) == len(b["items"])
        for x, y in zip(a["items"], b["items"], strict=True):
            if b["kind"] == "dict":
                assert x[0] == y[0]
                x, y = x[1], y[1]
            _compare_one(x, y)
        return
    same = [a.get(key) for key in ("dtype", "shape")]
    assert same == [b.get(key) for key in ("dtype", "shape")], f"{a} != {b}"
    exact = "value" not in b or a["value"] == b["value"]
    if not exact:
        _assert_close(a, b)
    for key in ("str", "repr"):
        if key in b:
            assert _form(a[key], exact) == _form(b[key], exact)


def _assert_close(a, b):
    if isinstance(b["value"], dict):
        for part in b["value"]:
            pair = (dict(x, value=x["value"][part]) for x in (a, b))
            _assert_close(*pair)
        return
    x, y = (np.array(v["value"], np.float64) for v in (a, b))
    limit = TOLERANCE.get(b["dtype"], 1e-12)
    scale = max(1.0, np.abs(y[np.isfinite(y)]).max(initial=0))
    np.testing.assert_allclose(x, y, rtol=0, atol=limit * scale, err_msg=f"{a}\n{b}")


def _form(text, exact):
    """A printed form; without its numbers and blanks where these may differ."""
    return text if exact else re.sub(r"[-\d.e+ ]+", "#", text)
