"""What tools/ does: the checklist of a release, the oldest versions."""

import runpy

from tests.source_tree import ROOT

RELEASE = runpy.run_path(str(ROOT / "tools" / "release.py"))
OLDEST = runpy.run_path(str(ROOT / "tools" / "oldest.py"))


def test_a_version_that_nobody_makes_is_not_ready():
    found = RELEASE["checks"].__globals__
    found["_git"] = lambda *arguments: {"tag": "v0.1.0", "branch": "main"}.get(
        arguments[0], ""
    )
    holds = RELEASE["checks"]("99.0.0")
    assert [what for what, ok in holds.items() if not ok][:2] == [
        "pyproject.toml says 99.0.0",
        "CHANGELOG.md has a section [99.0.0] with a date",
    ]
    assert holds["there is no tag v99.0.0 yet"]
    assert not RELEASE["checks"]("0.1.0")["there is no tag v0.1.0 yet"]


def test_a_wrong_version_is_refused(capsys):
    assert RELEASE["main"](["one"]) == 2
    assert "checklist" in capsys.readouterr().err


def test_the_oldest_versions():
    lines = OLDEST["constraints"]()
    assert "numpy==2.0" in lines and all(line.count("==") == 1 for line in lines)
