"""What a user reads of a mistake: the line, the op, what was received, and the fix."""

import re
import traceback

import pytest
from hypothesis import settings

from tests import ways
from tests.faults.programs import programs
from tests.faults.running import WAYS, converted_ways, run, written

ALL = programs()
MANY = settings().max_examples > 1000  # the profile of `make fuzz`


def _lines(path):
    text = path.read_text().split("\n")
    return [n for n, line in enumerate(text, 1) if re.search(r"# .*here$", line)]


def lacks(report, path, words):
    """What the report of an error does not say."""
    lines, name = _lines(path), path.name
    places = [f"{name}:{n}" for n in lines] + [f'{name}", line {n},' for n in lines]
    lost = [] if not lines or any(p in report for p in places) else ["the line"]
    said = "\n".join(x for x in report.split("\n") if not _FRAME.match(x))
    said += said.replace(", ", ",")
    known, _, fix = words.partition("fix:")
    needed = [*known.split(), *filter(None, [fix.strip()])]
    lost += [w for w in needed if not any(a in said for a in w.split("|"))]
    return lost + ["a fix"] * (fix.strip() != "" and not _TELLS.search(said))


_FRAME = re.compile(r"    |  File ")
_TELLS = re.compile(
    r"^fix: |Did you mean|\b[Uu]se |Choose |Feed |pad |Only call |It may come from|"
    r"[Gg]ive it |Convert them|"
    r"takes \d+ positional",
    re.M,
)


def _check(program, wanted, folder, monkeypatch):
    """Run a program in some ways, each in a folder of its own."""
    faults = {}
    for way in wanted:
        place = folder / way
        place.mkdir()
        monkeypatch.chdir(place)
        path = place / "mistake.py"
        with pytest.raises(Exception) as raised:
            run(way, path, program.text)
        report = "".join(traceback.format_exception(raised.value))
        if found := lacks(report, path, program.words):
            faults[WAYS[way]] = f"{found}\n{report[-1500:]}"
    assert not faults, "\n".join(f"{way}: {text}" for way, text in faults.items())


def _compiled_ways(program):
    if "A" in program.ways:
        return "A"
    if "W" in converted_ways(program):
        return "fW"
    return "g" * ("g" in program.ways)


def _each(ways_of):
    """The programs that have such ways."""
    found = [pytest.param(p, id=p.name) for p in ALL if ways_of(p)]
    return pytest.mark.parametrize("program", found)


@_each(lambda p: p.ways.strip("PA"))
def test_says_what_is_wrong(program, tmp_path, monkeypatch):
    _check(program, program.ways.strip("PA"), tmp_path, monkeypatch)


def _some_ways(program):
    """Its converted ways; no more than two but under `make fuzz`."""
    found = converted_ways(program)
    if MANY or len(found) < 3:
        return found
    return "A" + "ILW"[ALL.index(program) % 3]


@pytest.mark.hypothesis
@_each(converted_ways)
def test_says_what_is_wrong_in_converted_code(program, tmp_path, monkeypatch):
    with ways.interpreted():
        _check(program, _some_ways(program), tmp_path, monkeypatch)


@_each(_compiled_ways)
def test_says_what_is_wrong_when_compiled(program, tmp_path, monkeypatch):
    with ways.compiled(refusals=Exception):
        _check(program, _compiled_ways(program), tmp_path, monkeypatch)


def test_there_are_enough():
    names = [p.name for p in ALL]
    assert len(set(names)) == len(names) >= 260


def test_what_is_lacking_is_found(tmp_path):
    path = tmp_path / "mistake.py"
    path.write_text("x = 1\ny = x + z  # here\n")
    report = f'  File "{path}", line 2, in f\nNameError: z of [2, 3]\nfix: write x'
    assert lacks(report, path, "z 2,3 fix: write x") == []
    assert lacks(report, path, "q|z 4 fix: read x") == ["4", "read x"]
    assert lacks(report.replace("line 2", "line 1"), path, "") == ["the line"]
    assert lacks(report.replace("fix: ", ""), path, "z fix: write x") == ["a fix"]


@pytest.mark.parametrize(
    ("way", "lines"),
    [
        ("A", ["x = [1,", "2]  # here", "return f(x,", "  3)"]),
        ("L", ["    x = [1,", "    2]  # here", "    kept = keep(kept, f(x,"]),
        ("W", ["    kept = keep(kept, f(x,", "      3))", "    count = count - 1"]),
    ],
)  # fmt: skip
def test_the_body_of_a_block_is_the_program(way, lines, tmp_path):
    path = tmp_path / "mistake.py"
    written(way, path, "x = [1,\n2]  # here\nreturn f(x,\n  3)")
    found = [line[4:] for line in path.read_text().split("\n")]
    start = found.index(lines[0])
    assert found[start : start + len(lines)] == lines
