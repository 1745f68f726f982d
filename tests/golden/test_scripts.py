"""Whole programs of the years 2016 to 2019, with what TensorFlow 1.12 prints.

`scripts/NAME.py` is a program as people wrote them, seeded; NAME.txt beside it is what
it prints in TensorFlow 1.12 (made by ``TF112_PYTHON=... python -m tests.golden.make
NAME``). Each runs as by `twinflow run`. Words must be the same; numbers may differ by
one in the last printed place or by 2e-5 of the largest of their line. A program that
needs more says so in a line `# within 1e-3: the reason`.
"""

import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.source_tree import ROOT
from twinflow.base import native

SCRIPTS = sorted((Path(__file__).parent / "scripts").glob("*.py"))
COMPILED = SCRIPTS[::10]  # all of them would take minutes
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?", re.I)
RELATIVE = 2e-5


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A process of tests.golden.script_server.

    Scripts compile the same again in each session, so they keep it, as they do for
    users; LLVM does not optimize it (tests.ops.test_engines says who holds that).
    """
    command = [sys.executable, "-m", "tests.golden.script_server"]
    variables = {
        "TWINFLOW_COMPILE_CACHE": "on",
        "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache")),
        "XLA_FLAGS": "--xla_backend_optimization_level=0",
    }
    pipe, environment = subprocess.PIPE, os.environ | variables
    with subprocess.Popen(
        command, cwd=ROOT, stdin=pipe, stdout=pipe, env=environment
    ) as process:
        yield process
        process.stdin.close()


def printed(server, path, policy):
    """What a script prints; fails where it ends with an error."""
    pickle.dump((str(path), policy), server.stdin)
    server.stdin.flush()
    status, out, err = pickle.load(server.stdout)
    assert status == 0, err[-3000:]
    return out


def limit_of(path):
    """(how far numbers may differ, relative to the largest of their line, why)"""
    found = re.search(r"^# within ([\d.e-]+): (.+)", path.read_text(), re.M)
    return (float(found[1]), found[2]) if found else (RELATIVE, "rounding")


def differences(found, wanted, limit):
    """Lines on what differs between two texts."""
    found, wanted = (_joined(text) for text in (found, wanted))
    lines = [
        f"line {n}: {a!r}, TensorFlow 1.12: {b!r}"
        for n, (a, b) in enumerate(zip(found, wanted, strict=False), 1)
        if a != b and not _close(a, b, limit)
    ]
    if len(found) != len(wanted):
        lines.append(f"{len(found)} lines, TensorFlow 1.12 has {len(wanted)}")
    return lines


def _joined(text):
    """Its lines, an array of several rows as one."""
    return re.sub(r"(?<=[\]\d.])\n\s+(?=[\[\d.-])", " ", text.rstrip()).split("\n")


def _close(a, b, limit):
    if NUMBER.sub("#", _bare(a)) != NUMBER.sub("#", _bare(b)):
        return False
    numbers = list(zip(NUMBER.findall(a), NUMBER.findall(b), strict=True))
    slack = limit * max((abs(float(y)) for _, y in numbers), default=0)
    return all(
        abs(float(x) - float(y)) <= unit + (slack if unit else 0)
        for x, y in numbers
        for unit in [_unit(x, y)]
    )


def _bare(line):
    """Without blanks, and without the signs that numbers print."""
    return re.sub(r"\s+", "", re.sub(r"([\[\s,(=])-(?=[\d.])", r"\1 ", " " + line))


def _unit(*texts):
    """One in the last printed place of the numbers; 0 for whole ones."""
    return 1.01 * max(_last_place(text) for text in texts)


def _last_place(text):
    digits, _, power = text.lower().partition("e")
    if "." not in digits and not power:
        return 0.0
    return 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))


# Scripts that call int() or float() of an array of one element, as NumPy 1 let them.
SINGLES = {"text_cnn"}


def check(server, path, policy):
    if path.stem in SINGLES and not hasattr(native.fast, "take_singles"):
        pytest.skip("int() of an array with axes: the C module lets NumPy 2 take it")
    found = printed(server, path, policy)
    wanted = path.with_suffix(".txt").read_text()
    lines = differences(found, wanted, limit_of(path)[0])
    assert not lines, "\n".join(lines[:20])


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_prints_what_tensorflow_prints(path, server):
    check(server, path, "never")


@pytest.mark.parametrize("path", COMPILED, ids=lambda path: path.stem)
def test_prints_the_same_when_compiled(path, server):
    check(server, path, "wait")


@pytest.mark.parametrize(
    ("found", "same"),
    [
        ("loss 0.1235", True),
        ("loss 0.1236", False),
        ("lose 0.1234", False),
        ("loss 0.1234\nmore", False),
    ],
)
def test_differences_are_found(found, same):
    assert bool(differences(found, "loss 0.1234", RELATIVE)) != same


def test_whole_numbers_are_exact():
    assert differences("step 3", "step 4", RELATIVE)
    assert not differences("[ 1.  -0.]", "[1. 0.]", RELATIVE)
