"""`twinflow profile`: the report is there, whatever becomes of the script."""

import json

import pytest

from twinflow.cli import run
from twinflow_terminal.main import main


@pytest.fixture
def script(monkeypatch):
    """Let `run` do what a test gives it, in this process."""

    def put(work):
        monkeypatch.setattr(run, "main", work)

    return put


def test_what_goes_where(script, tmp_path, capsys):
    given = []
    script(lambda argv: given.append(argv) or 3)
    made = tmp_path / "p.json"
    assert main(["profile", "--json", str(made), "s.py", "--", "--html", "x"]) == 3
    assert given == [["s.py", "--html", "x"]]
    assert json.loads(made.read_text())["seconds"] > 0
    said = capsys.readouterr()
    assert "profile of" in said.err
    assert said.out == ""


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit])
def test_a_report_of_what_fails(script, capsys, error):
    def fail(argv):
        raise error

    script(fail)
    with pytest.raises(error):
        main(["profile", "s.py"])
    assert "profile of" in capsys.readouterr().err


@pytest.mark.parametrize("argv", [[], ["--html"], ["--json=x"]])
def test_a_command_line_that_cannot_be_read(argv, capsys):
    assert main(["profile", *argv]) == 2
    assert "twinflow profile:" in capsys.readouterr().err
