"""The command line itself: help, mistakes, completion, the manual page."""

import json
import os
import pkgutil
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest
from click.testing import CliRunner

from tests.source_tree import ROOT, table
from twinflow.cli import drawing
from twinflow_terminal import commands, running, statuses, style
from twinflow_terminal.main import main


def every(command, path="twinflow"):
    """(how a command is called, it) of all commands."""
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from every(inner, f"{path} {name}")


COMMANDS = dict(every(commands.TWINFLOW))


@pytest.mark.parametrize("path", COMMANDS)
def test_help_of_every_command(path, capsys):
    _, *words = path.split()
    for ask in (["--help"], ["-h"]):
        assert main([*words, *ask]) == 0
        assert capsys.readouterr().out.startswith(f"Usage: {path} [OPTIONS]")


def test_the_first_page(capsys):
    assert main(["help"]) == main([]) == 0
    out = capsys.readouterr().out
    for name in commands.TWINFLOW.commands:
        assert f"\n  {name} " in out
    for number, text in statuses.TABLE:
        assert f"{number:>3}  {text}\n" in out


def test_every_command_has_what_carries_it_out():
    targets = [c.target for c in COMMANDS.values() if isinstance(c, style.Command)]
    assert len(targets) > 20
    for target in targets:
        assert callable(pkgutil.resolve_name(target)), target


@pytest.mark.parametrize(
    ("argv", "where", "what"),
    [
        (["chekc", "a.py"], "twinflow", "no command 'chekc'. Did you mean 'check'?"),
        (["fly"], "twinflow", "no command 'fly'"),
        (["ckpt", "sl", "x"], "twinflow ckpt", "no command 'sl'"),
        (["ckpt"], "twinflow ckpt", "Missing command"),
        (["check"], "twinflow check", "PATH... is missing"),
        (["check", "--jsn", "a"], "twinflow check",
         "no option '--jsn'. Did you mean '--json'?"),
        (["run"], "twinflow run", "which script?"),
        (["run", "--eagr", "a.py"], "twinflow run",
         "no option '--eagr'. Did you mean '--eager'?"),
        (["run", "--since"], "twinflow run", "--since needs a value"),
        (["verify", "--limit", "soon", "a.py"], "twinflow verify",
         "Invalid value for '--limit': 'soon' is not a valid float range"),
        (["doctor", "me"], "twinflow doctor", "Got unexpected extra argument (me)"),
    ],
)  # fmt: skip
def test_mistakes(argv, where, what, capsys):
    assert main(argv) == statuses.NOT_DONE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"{where}: {what}\nTry `{where} --help`.\n"


def test_options_of_run():
    argv = ["--eager", "--seed=3", "--plots", "d", "a.py", "--eager", "-h"]
    chosen, rest, wrong = running.taken(argv)
    assert chosen == running.Options(eager=True, seed=3, plots="d")
    assert (rest, wrong) == (["a.py", "--eager", "-h"], None)
    assert running.taken(["--", "--a.py"])[1] == ["--a.py"]
    assert running.taken(["--seed", "x", "a.py"])[2] == (
        "--seed needs a whole number, got 'x'"
    )


@pytest.mark.parametrize(
    ("argv", "own", "program"),
    [
        (["a.py", "--json", "x"], {}, ["a.py", "--json", "x"]),
        (["--json", "x", "--eager", "a.py", "--help"], {"json_file": "x"},
         ["--eager", "a.py", "--help"]),
        (["--since=0.8", "-m", "tool", "-n", "3"], {}, ["--since=0.8", "-m", "tool",
                                                      "-n", "3"]),
        (["a.py", "--", "--seed", "3"], {}, ["a.py", "--seed", "3"]),
        (["--", "-a.py"], {}, ["-a.py"]),
    ],
)  # fmt: skip
def test_what_is_the_scripts_own(argv, own, program):
    with commands.PROFILE.make_context("profile", list(argv)) as ctx:
        given = {n: v for n, v in ctx.params.items() if v is not None}
    assert given == {**own, "argv": program}


def test_completion_of_words():
    def completed(words, last):
        env = {
            "_TWINFLOW_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(["twinflow", *words, last]),
            "COMP_CWORD": str(len(words) + 1),
        }
        done = CliRunner().invoke(
            commands.TWINFLOW, [], env=env, prog_name="twinflow",
            complete_var="_TWINFLOW_COMPLETE",
        )  # fmt: skip
        return done.output.split()

    assert completed([], "ch") == ["plain,check"]
    assert completed(["ckpt"], "s") == ["plain,show"]
    assert completed(["run"], "--e") == ["plain,--eager"]
    assert completed(["run"], "a")[0].startswith("file,")
    assert completed(["completion"], "z") == ["plain,zsh"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_of_shells(shell, capsys):
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert f"_TWINFLOW_COMPLETE={shell}_complete" in script
    if shutil.which(shell):
        checked = subprocess.run(
            [shell, "-n"], input=script, text=True, capture_output=True, check=False
        )
        assert checked.returncode == 0, checked.stderr


def test_the_manual_page(capsys):
    assert main(["man"]) == 0
    page = capsys.readouterr().out
    assert page.startswith('.TH TWINFLOW 1 "" "twinflow ')
    for path, command in COMMANDS.items():
        if path != "twinflow":
            assert f".SS {path} ".replace("-", "\\-") in page
            assert command.help.replace("-", "\\-") in page
    if shutil.which("man"):
        shown = subprocess.run(
            ["man", "--warnings", "-l", "-"], input=page, text=True,
            capture_output=True, check=False, timeout=60,
        )  # fmt: skip
        assert shown.stderr == "" and "EXIT STATUS" in shown.stdout


PROBE = """\
import sys
from twinflow_terminal.main import main
for argv in {argvs}:
    assert main(argv) == 0
print(sorted({{'numpy', 'rich', 'click', 'twinflow'}} & set(sys.modules)))
"""


@pytest.mark.parametrize(
    ("argvs", "loaded"),
    [
        ([["--version"]], []),
        ([["--help"], ["run", "--help"], ["serve", "-h"], ["man"]], ["click"]),
    ],
)
def test_what_help_loads(argvs, loaded):
    """Time follows what is imported, and a count of modules is the same each time."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(argvs=argvs)], cwd=ROOT, text=True,
        capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == str(loaded)


def test_a_run_loads_no_click(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import sys; print('click' in sys.modules, sys.argv[1:])")
    done = subprocess.run(
        [sys.executable, "-m", "twinflow", "run", "--seed", "3", str(script), "--help"],
        cwd=ROOT, text=True, capture_output=True, check=True, timeout=60,
        env={k: v for k, v in os.environ.items() if k != "_TWINFLOW_COMPLETE"},
    )  # fmt: skip
    assert done.stdout == "False ['--help']\n"


def test_a_pipe_that_nobody_reads(monkeypatch, tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "twinflow", "check", str(tmp_path / "a.py")]
    with os.fdopen(writer, "w") as out:
        done = subprocess.run(
            command, cwd=ROOT, stdout=out, stderr=subprocess.PIPE, text=True,
            check=False, timeout=60,
        )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def test_json_is_json(tmp_path, capsys):
    (tmp_path / "a.py").write_text("import tensorflow as tf\ntf.nope\n")
    assert main(["check", "--json", str(tmp_path)]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["files"] == [str(tmp_path / "a.py")]
    assert found["findings"][0]["line"] == 2


def test_the_page_of_the_documentation():
    page = (ROOT / "docs/terminal.md").read_text()
    for name, command in commands.TWINFLOW.commands.items():
        assert f"| `twinflow {name}" in page
        for inner in getattr(command, "commands", {}):
            assert f"`{inner}`" in page or f"`twinflow {name} {inner}`" in page
    assert [tuple(row) for row in table(page, "status", "meaning")] == [*statuses.TABLE]


ROWS, TITLES = [("a", 1234), ("bcd", 5)], ("name", "count")


def test_tables_in_a_pipe(capsys):
    drawing.show(ROWS, TITLES, right=("count",), title="numbers")
    assert capsys.readouterr().out == "numbers\na    1,234\nbcd      5\n"


@pytest.mark.skipif(find_spec("rich") is None, reason="rich is an extra")
def test_tables_on_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert drawing.is_drawn()
    drawing.show(ROWS, TITLES, right=("count",), title="numbers")
    out = capsys.readouterr().out
    assert "name" in out and "─" in out and "1,234" in out
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        monkeypatch.setenv(name, value)
        assert not drawing.is_drawn()
        monkeypatch.setenv("TERM", "xterm")


def test_sizes_for_people():
    texts = [drawing.size(n) for n in (5, 1500, 2.5e6, 3e12)]
    assert texts == ["5 bytes", "1.5 kB", "2.5 MB", "3,000.0 GB"]
