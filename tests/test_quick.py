"""tests/quick.txt, which `make test-quick` runs, has tests of every folder."""

import subprocess
import sys

from tests.source_tree import ROOT, TOP, project_files

CHOSEN = (ROOT / "tests" / "quick.txt").read_text().split()
LONG = {  # they start processes, or go through what others name one by one
    "benchmarks", "examples", "fresh", "fuzz", "golden", "typing",
}  # fmt: skip


def test_every_folder_has_some():
    folders = {
        path.parts[1]
        for path in project_files("tests")
        if len(path.parts) > 2 and path.name.startswith("test_")
    }
    assert folders - {line.split("/")[1] for line in CHOSEN} == LONG


def test_every_package_that_has_tests_has_some():
    packages = {path.parts[1] for path in project_files(TOP) if len(path.parts) > 2}
    tested = {p for p in packages if (ROOT / "tests" / p).is_dir()}
    assert len(tested) > 15
    assert not tested - {line.split("/")[1] for line in CHOSEN}


def test_all_of_it_is_there_and_once():
    for line in CHOSEN:
        assert (ROOT / line.partition("::")[0]).exists(), line
    assert len(CHOSEN) == len(set(CHOSEN))


def test_the_single_tests_are_there():
    single = [line for line in CHOSEN if "::" in line]
    assert single
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", *single]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
