"""What type checkers say of programs: nothing of right ones, all of the mistakes.

They run outside the checkout, where they see the package as it is installed.
"""

import importlib.util
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.source_tree import ROOT

HERE = Path(__file__).parent
ORDINARY, MISTAKES = HERE / "ordinary.py", HERE / "mistakes.py"


def run(*command, folder):
    """What a checker prints."""
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


def of_mypy(folder):
    """(file, line, message) of each error that mypy finds."""
    options = ("--config-file=", "--check-untyped-defs", "--no-error-summary")
    cache = f"--cache-dir={ROOT / '.mypy_cache' / 'programs'}"
    files = (str(ORDINARY), str(MISTAKES))
    text = run("mypy", *options, cache, *files, folder=folder)
    errors = re.findall(r"^(.+?\.py):(\d+): error: (.*)$", text, re.MULTILINE)
    return [(Path(file).name, int(line), what) for file, line, what in errors]


def pyright_errors(folder, files, mode="standard"):
    """(file, line, message) of each error that pyright's checks find."""
    if importlib.util.find_spec("basedpyright") is None:
        pytest.skip("basedpyright is not installed: pip install basedpyright")
    settings = folder / "pyrightconfig.json"
    include = [str(file) for file in files]
    settings.write_text(json.dumps({"include": include, "typeCheckingMode": mode}))
    how = ("--outputjson", "-p", str(settings), "--pythonpath", sys.executable)
    report = json.loads(run("basedpyright", *how, folder=folder))
    return [
        (Path(d["file"]).name, d["range"]["start"]["line"] + 1, d["message"])
        for d in report["generalDiagnostics"]
        if d["severity"] == "error"
    ]


def of_pyright(folder):
    """What it finds in the programs here."""
    return pyright_errors(folder, [ORDINARY, MISTAKES])


@pytest.mark.parametrize("check", [of_mypy, of_pyright])
def test_mistakes_are_found_and_nothing_else(check, tmp_path):
    lines = MISTAKES.read_text().splitlines()
    marked = {n for n, line in enumerate(lines, 1) if "  # wrong: " in line}
    errors = check(tmp_path)
    assert not [e for e in errors if e[0] == ORDINARY.name]
    found = {line for file, line, _ in errors if file == MISTAKES.name}
    missed = [lines[n - 1].strip() for n in sorted(marked - found)]
    unjust = [e for e in errors if e[0] == MISTAKES.name and e[1] not in marked]
    assert len(marked) > 50
    assert (missed, unjust) == ([], [])
