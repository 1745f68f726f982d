"""Damaged files: a reader refuses them by an error that names the file, or reads them.

No error but ValueError and tf.errors gets through, none takes much memory or long, and
nothing crashes. `make fuzz` reads 2,000 damaged files of each kind; otherwise few.
"""

import collections
import json
import subprocess
import sys

import pytest
from hypothesis import settings

from tests.fuzz.run_readers import READERS
from tests.source_tree import ROOT

pytestmark = pytest.mark.hypothesis  # what `make fuzz` runs

MANY = settings().max_examples > 1000  # the profile of `make fuzz`
COUNT = 2000 if MANY else 6
GROUPS = collections.defaultdict(list)
for _name, _reader in READERS.items():
    _home = _reader.make.__module__.rpartition(".")[2]
    GROUPS[_name if MANY else _home].append(_name)


@pytest.mark.parametrize("group", sorted(GROUPS))
def test_damaged_files_are_refused(group, tmp_path, record_property):
    names, board = GROUPS[group], tmp_path / "board"
    program = [sys.executable, "-m", "tests.fuzz.run_readers"]
    done = subprocess.run(
        [*program, str(COUNT), str(board), *names],
        cwd=ROOT, capture_output=True, text=True, timeout=7200 if MANY else 300,
    )  # fmt: skip
    at = board.read_text() if board.exists() else "the beginning"
    assert done.returncode == 0, f"died at {at}: {done.stderr[-3000:]}"
    found = [json.loads(line) for line in done.stdout.splitlines() if line[:1] == "["]
    assert [name for name, *_ in found] == names
    faults = [f"{name} {fault}" for name, _, all_ in found for fault in all_]
    assert not faults, "\n".join(faults)
    for name, results, _ in found if MANY else ():
        assert results.get("refused"), f"{name} refuses nothing: {results}"
        record_property("summary", f"{name}: {results}")
