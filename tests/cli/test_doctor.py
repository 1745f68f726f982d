"""`twinflow doctor`: what is there, what is slow or broken, and how to mend it."""

import json
import re

import pytest

from tests.source_tree import ROOT, python_files
from twinflow.base import native
from twinflow.cli import doctor
from twinflow.cli.health import environment, installed, machine, trial
from twinflow.cli.health.trouble import Trouble
from twinflow_terminal.main import main


def test_a_sound_machine(capsys):
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    for part in ("versions", "extras", "C module", "processor", "devices", "caches"):
        assert f"\n{part}\n" in out
    assert "CPU:0" in out and "numpy" in out and "broken" not in out


def test_json(capsys, monkeypatch):
    monkeypatch.setattr(doctor, "_LOOKS", (lambda: [Trouble("a", "b", broken=True)],))
    assert main(["doctor", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["versions"]["numpy"] and found["processor"]["cores"]
    assert found["troubles"] == [{"what": "a", "fix": "b", "broken": True}]


def test_what_is_broken_comes_first(capsys, monkeypatch):
    troubles = [Trouble("it is slow", "buy"), Trouble("it is broken", "mend", True)]
    monkeypatch.setattr(doctor, "_LOOKS", (lambda: troubles,))
    assert main(["doctor"]) == 1
    assert capsys.readouterr().out.endswith(
        "broken: it is broken\n   fix: mend\nslow: it is slow\n   fix: buy\n"
    )


@pytest.mark.parametrize(
    ("name", "value", "what", "broken"),
    [
        ("TWINFLOW_COMPIL", "never", "means nothing to twinflow", False),
        ("TWINFLOW_COMPILE", "never", "TWINFLOW_COMPILE=never costs time", False),
        ("TWINFLOW_COMPILE", "often", "is 'often', which is none of auto, wait", True),
        ("TWINFLOW_PRODUCTS", "0", "TWINFLOW_PRODUCTS=0 costs time", False),
    ],
)
def test_variables(name, value, what, broken):
    (found,) = environment.troubles({name: value, "HOME": "/"})
    assert what in found.what and found.broken is broken
    assert "TWINFLOW_COMPILE" in found.fix or name in found.fix


def test_variables_that_are_fine():
    fine = {"TWINFLOW_COMPILE": "auto", "TWINFLOW_RANDOM": "twin", "PATH": "x"}
    assert environment.troubles(fine) == []
    assert list(environment.set_now(fine)) == ["TWINFLOW_COMPILE", "TWINFLOW_RANDOM"]


def test_every_variable_is_known():
    """Those that the sources read are in the table, and no others."""
    sources = [(ROOT / path).read_text() for path in python_files("twinflow")
               if path.parts[1:3] != ("cli", "health")]  # fmt: skip
    sources += [path.read_text() for path in (ROOT / "native").glob("*.[ch]")]
    pattern = re.compile(r'"(TWINFLOW_[A-Z_]*[A-Z])"')
    read = {name for text in sources for name in pattern.findall(text)}
    assert read == set(environment.KNOWN)


def test_without_the_c_module(monkeypatch):
    monkeypatch.setattr(native, "fast", None)
    monkeypatch.delenv("TWINFLOW_NATIVE", raising=False)
    assert installed.c_module()["file"] == "none"
    (found,) = (t for t in installed.troubles() if "C module" in t.what)
    assert not found.broken and "compiler" in found.fix
    monkeypatch.setenv("TWINFLOW_NATIVE", "0")
    (found,) = (t for t in installed.troubles() if "C module" in t.what)
    assert found.fix == "unset TWINFLOW_NATIVE"


def test_a_missing_package(monkeypatch):
    there = installed._version
    monkeypatch.setattr(
        installed, "_version", lambda name: None if name == "scipy" else there(name)
    )
    (found,) = (t for t in installed.troubles() if t.broken)
    assert found.what == "the package scipy is missing"
    assert installed.versions()["scipy"] == "missing"


def test_a_cache_that_cannot_be_written(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("TWINFLOW_COMPILE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    (found,) = (t for t in installed.troubles() if "cannot be written" in t.what)
    assert "XDG_CACHE_HOME" in found.fix


def test_slow_machines(monkeypatch):
    monkeypatch.setattr(machine, "cores", lambda: 8)
    monkeypatch.setattr(machine, "features", lambda: ["sse4_2"])
    monkeypatch.setattr(machine.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(machine.os, "getloadavg", lambda: (20.0, 0.0, 0.0))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    texts = [t.what for t in machine.troubles()]
    assert any("no AVX2" in text for text in texts)
    assert any("keeps 7 of 8 cores idle" in text for text in texts)
    assert any("load 20.0" in text for text in texts)


def test_the_trial_finds_wrong_numbers(monkeypatch):
    assert trial.troubles() == []

    def fail():
        raise OSError("no such instruction")

    ways = {"one way": lambda: trial._X, "another": fail}
    monkeypatch.setattr(trial, "_WAYS", ways)
    first, second = trial.troubles()
    assert first.broken and "one way gives" in first.what
    assert second.what.endswith("another fails with OSError: no such instruction")
