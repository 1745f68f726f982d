"""Every Python block of README.md and docs/ runs, and prints what it says it prints.

A block marked `<!-- continues -->` is appended to the previous block of its file, and
they run as one program. A text block marked `<!-- output -->` is what the Python block
before it prints; `...` in it stands for anything. The mode (eager or graph) belongs to
the process, so that each program gets one of its own.
"""

import doctest
import os
import re
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.source_tree import ROOT

CONTINUES = "<!-- continues -->"
OUTPUT = "<!-- output -->"
LANGUAGES = {"py", "python3", "pycon", "ipython"}  # spellings that would not be run
BLOCK = re.compile(
    r"^(?P<indent> *)(?P<fence>```+|~~~+) *(?P<language>\w*)[^\n]*\n"
    r"(?P<text>.*?)^(?P=indent)(?P=fence) *$",
    re.DOTALL | re.MULTILINE,
)
BETWEEN = "--- the next block of this program ---"
SECONDS = 300


@dataclass
class Block:
    """One Python block: its first line in the file, its code, what it prints."""

    line: int
    code: str
    expected: str | None = None


@dataclass
class Program:
    """Blocks that run one after the other in one process."""

    file: str
    blocks: list[Block] = field(default_factory=list)

    def source(self):
        """Its code, each line where it stands in the Markdown file."""
        lines = []
        for block in self.blocks:
            if lines:
                lines.append(f"print({BETWEEN!r}, flush=True)")
            lines += [""] * (block.line - 1 - len(lines))
            lines += block.code.splitlines()
        return "\n".join(lines) + "\n"


def previous_line(markdown, position):
    """The last line before a position that is not blank."""
    return markdown[:position].rstrip().rpartition("\n")[2].strip()


def read_programs(markdown, file):
    """The programs of a Markdown file; ValueError where a marker makes no sense."""
    programs, last = [], None  # last: the Python block that an output may follow
    for match in BLOCK.finditer(markdown):
        line = markdown.count("\n", 0, match.start("text")) + 1
        language, text = match["language"], textwrap.dedent(match["text"])
        marker = previous_line(markdown, match.start())
        if language in LANGUAGES:
            raise ValueError(f"{file}:{line}: write ```python, so that it is run")
        if language == "python":
            if marker != CONTINUES:
                programs.append(Program(file))
            elif not programs:
                raise ValueError(f"{file}:{line}: continues nothing")
            last = Block(line, text)
            programs[-1].blocks.append(last)
        elif marker == OUTPUT:
            if last is None or language != "text":
                raise ValueError(f"{file}:{line}: the output of no Python block")
            last.expected, last = text, None
        else:
            last = None
    return programs


def same_output(expected, printed):
    """Whether the texts agree, with `...` in the expected one for anything."""
    flags = (
        doctest.ELLIPSIS
        | doctest.DONT_ACCEPT_BLANKLINE
        | doctest.DONT_ACCEPT_TRUE_FOR_1
    )
    return doctest.OutputChecker().check_output(expected, printed, flags)


def run_program(program, folder):
    """Run it in a process of its own; AssertionError says what is not as written."""
    script = folder / (program.file.replace("/", "_") + ".py")
    script.write_text(program.source())
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "MPLBACKEND": "Agg"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    assert done.returncode == 0, f"{program.file} fails:\n{done.stdout}{done.stderr}"
    printed = done.stdout.split(BETWEEN + "\n")
    for block, text in zip(program.blocks, printed, strict=True):
        assert block.expected is None or same_output(block.expected, text), (
            f"{program.file}:{block.line} should print\n{block.expected}"
            f"but prints\n{text}{done.stderr}"
        )


def documents():
    return sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])


def all_programs():
    files = [(path, path.relative_to(ROOT).as_posix()) for path in documents()]
    return [p for path, file in files for p in read_programs(path.read_text(), file)]


@pytest.mark.parametrize(
    "program", all_programs(), ids=lambda p: f"{p.file}:{p.blocks[0].line}"
)
def test_documented_programs_run(program, tmp_path):
    run_program(program, tmp_path)


def markdown(*parts):
    """Markdown from parts: text as it is, (language, code) as a fenced block."""
    return "\n\n".join(
        part if isinstance(part, str) else f"```{part[0]}\n{part[1]}\n```"
        for part in parts
    )


def run_markdown(tmp_path, *parts):
    for program in read_programs(markdown(*parts), "docs/a.md"):
        run_program(program, tmp_path)


def test_blocks_run_apart_unless_they_continue(tmp_path):
    parts = [("python", "x = 1"), CONTINUES, ("python", "print(x)"), OUTPUT,
             ("text", "1"), ("python", "print('x' in globals())"), OUTPUT,
             ("text", "False"), ("sh", "false")]  # fmt: skip
    programs = read_programs(markdown(*parts), "a.md")
    assert [len(program.blocks) for program in programs] == [2, 1]
    run_markdown(tmp_path, *parts)


def test_each_block_is_compared_with_its_own_output(tmp_path):
    run_markdown(tmp_path, ("python", "print(1)"), CONTINUES, ("python", "print(2)"),
                 OUTPUT, ("text", "2"))  # fmt: skip


def test_dots_stand_for_anything(tmp_path):
    block = ("python", "print('loss 0.25 in 1.23 s')")
    run_markdown(tmp_path, block, OUTPUT, ("text", "loss 0.25 in ... s"))
    with pytest.raises(AssertionError, match=r"a\.md:2 should print"):
        run_markdown(tmp_path, block, OUTPUT, ("text", "loss 0.26 in ... s"))


def test_a_block_that_fails_names_its_line(tmp_path):
    with pytest.raises(AssertionError, match=r"line 6[^!]*ZeroDivisionError"):
        run_markdown(tmp_path, "# Title", "text", ("python", "1 / 0"))


def test_indented_blocks_run(tmp_path):
    text = "- item\n\n  ```python\n  if True:\n      print(1)\n  ```\n"
    (program,) = read_programs(text, "a.md")
    assert program.source() == "\n\n\nif True:\n    print(1)\n"
    run_program(program, tmp_path)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([CONTINUES, ("python", "x")], "a.md:4: continues nothing"),
        ([OUTPUT, ("text", "x")], "a.md:4: the output of no Python block"),
        ([("python", "x"), OUTPUT, ("sh", "x")], "the output of no Python block"),
        ([("py", "x")], "write ```python"),
    ],
)
def test_misplaced_markers_are_errors(parts, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        read_programs(markdown(*parts), "a.md")


@given(st.text(alphabet="ab1. \n", max_size=30), st.text(alphabet="ab\n", min_size=1))
def test_output_matches_itself_and_nothing_longer(text, more):
    assert same_output(text, text)
    if "..." not in text:
        assert not same_output(text, text + "!" + more)
