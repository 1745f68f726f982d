"""Programs that fail in one process are run again in another one, elsewhere."""

import inspect
import json
import os
import subprocess
import sys

import pytest

from tests.capsules import failing
from tests.source_tree import ROOT

_HERE = os.path.dirname(os.path.abspath(__file__))


def _python(file, *args, cwd):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, os.path.join(_HERE, file), *map(str, args)], cwd=cwd, env=env,
        capture_output=True, text=True, timeout=300, errors="replace",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return done


@pytest.fixture(scope="module")
def replayed(tmp_path_factory):
    """{program: what came of it}, and the fingerprints of the first process."""
    first, other = tmp_path_factory.mktemp("first"), tmp_path_factory.mktemp("other")
    _python("failing.py", first, cwd=first)
    given = {
        name: json.loads((first / f"{name}.json").read_text())
        for name in failing.PROGRAMS
    }
    for name in failing.PROGRAMS:
        os.rename(first / f"{name}.capsule", other / f"{name}.capsule")
    results = other / "results.json"
    _python("replaying.py", other, results, cwd=other)
    return json.loads(results.read_text()), given


@pytest.mark.parametrize("name", failing.PROGRAMS)
def test_the_same_op_fails_on_the_same_values(replayed, name):
    results, given = replayed
    found, (_, when, place, _) = results[name], failing.PROGRAMS[name]
    report = found["report"]
    assert (found["status"], report["reproduced"]) == (0, True)
    assert report["kind"] == when
    assert given[name] is not None
    assert found["given"] == given[name]  # bit for bit: other eyes than the tool's own
    assert report["op"] == given[name][0]
    assert report["place"] == place


@pytest.mark.parametrize("name", failing.PROGRAMS)
def test_the_line_is_told_with_its_text(replayed, name):
    report = replayed[0][name]["report"]
    lines, first = inspect.getsourcelines(failing.PROGRAMS[name][0])
    here = [first + i for i, text in enumerate(lines) if "# here" in text]
    places = [p for key in ("lines", "gradient_of") for p in report[key][:1]]
    assert len(here) == 1
    assert here[0] in [p["line"] for p in places]
    texts = [p["text"] for p in places if p["line"] == here[0]]
    assert texts == [lines[here[0] - first].strip()]
