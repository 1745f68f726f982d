"""What a user reads of a mistake: the line, the op, what was received, and the fix."""

import re
import traceback

import numpy as np
import pytest

import twinflow as tf
from tests.faults.programs import programs
from twinflow.base import dispatch
from twinflow.eager.mode import MODE

WAYS = {"e": "eager", "g": "graph", "G": "graph without a start", "f": "function"}


def _cases():
    for program in programs():
        for way in program.ways:
            yield pytest.param(way, program, id=f"{program.name}-{WAYS[way]}")


def _run(way, path, text):
    """Run a program; it is to raise."""
    body = "\n".join("    " + line for line in text.strip().split("\n"))
    source = f"def program():\n{body}\n"
    path.write_text(source)
    names = {"tf": tf, "np": np}
    exec(compile(source, str(path), "exec"), names)
    program = names["program"]
    with tf.Graph().as_default():
        if way in "ef":
            with dispatch.entered(MODE):
                (tf.contrib.eager.defun(program) if way == "f" else program)()
            return
        found = program()
        fetches, feeds = found if _with_feeds(found) else (found, None)
        with tf.Session() as session:
            if way == "g":
                session.run(tf.global_variables_initializer())
            session.run(fetches, feeds)


def _with_feeds(found):
    return type(found) is tuple and len(found) == 2 and type(found[1]) is dict


def _lines(path):
    text = path.read_text().split("\n")
    return [n for n, line in enumerate(text, 1) if re.search(r"# .*here$", line)]


def lacks(report, path, words):
    """What the report of an error does not say."""
    lines, name = _lines(path), path.name
    places = [f"{name}:{n}" for n in lines] + [f'{name}", line {n},' for n in lines]
    lost = [] if not lines or any(p in report for p in places) else ["the line"]
    said = "\n".join(x for x in report.split("\n") if not x.startswith("  "))
    said += said.replace(", ", ",")
    known, _, fix = words.partition("fix:")
    needed = [*known.split(), *filter(None, [fix.strip()])]
    return lost + [w for w in needed if not any(a in said for a in w.split("|"))]


@pytest.mark.parametrize(("way", "program"), list(_cases()))
def test_says_what_is_wrong(way, program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mistake.py"
    with pytest.raises(Exception) as raised:
        _run(way, path, program.text)
    report = "".join(traceback.format_exception(raised.value))
    found = lacks(report, path, program.words)
    assert not found, f"{found}\n{report[-1500:]}"


def test_there_are_enough():
    names = [p.name for p in programs()]
    assert len(set(names)) == len(names) >= 120


def test_what_is_lacking_is_found(tmp_path):
    path = tmp_path / "mistake.py"
    path.write_text("x = 1\ny = x + z  # here\n")
    report = f'  File "{path}", line 2, in f\nNameError: z of [2, 3]\nfix: write x'
    assert lacks(report, path, "z 2,3 fix: write x") == []
    assert lacks(report, path, "q|z 4 fix: read x") == ["4", "read x"]
    assert lacks(report.replace("line 2", "line 1"), path, "") == ["the line"]
