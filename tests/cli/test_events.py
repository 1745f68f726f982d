"""`twinflow events`: tags with their ends, and curves."""

import json

import numpy as np
import pytest

import twinflow as tf
from twinflow.cli import curves
from twinflow_terminal.main import main

V = tf.Summary.Value


@pytest.fixture
def folder(tmp_path):
    """Two runs, one below the other."""
    for name, scale in (("a", 1.0), ("a/eval", 2.0)):
        writer = tf.summary.FileWriter(str(tmp_path / name))
        for step in range(0, 50, 10):
            values = [V(tag="loss", simple_value=scale * (50 - step))]
            if step == 40:
                values.append(V(tag="h", histo=tf.HistogramProto(num=1)))
            writer.add_summary(tf.Summary(value=values), step)
        writer.close()
    return tmp_path / "a"


def test_ls(folder, capsys):
    assert main(["events", "ls", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[:2]] == [
        ["eval:", "h", "histogram", "1", "step", "40", "step", "40"],
        ["eval:", "loss", "scalar", "5", "step", "0:", "100", "step", "40:", "20"],
    ]
    assert lines[-1] == f"4 tags in {folder}"


def test_json(folder, capsys):
    (file,) = folder.glob("*tfevents*")
    assert main(["events", "ls", "--json", str(file)]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "loss": {"kind": "scalar", "count": 5, "first_step": 0, "last_step": 40,
                 "first": 50.0, "last": 10.0},
        "h": {"kind": "histogram", "count": 1, "first_step": 40, "last_step": 40},
    }  # fmt: skip


def test_a_file_whose_writer_was_killed(folder, capsys):
    (file,) = folder.glob("*tfevents*")
    file.write_bytes(file.read_bytes()[:-5])
    assert main(["events", "ls", str(file)]) == 0
    assert "loss" in capsys.readouterr().out


def test_plot(folder, capsys):
    size = ["--width", "10", "--height", "3"]
    assert main(["events", "plot", *size, str(folder), "loss"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "loss (5 values)"
    assert [line.split(" ")[-2] for line in (lines[1], lines[3])] == ["50", "10"]
    assert lines[-1].split() == ["0", "40"]
    assert main(["events", "plot", *size, str(folder)]) == 0
    assert "eval: loss (5 values)" in capsys.readouterr().out


def test_what_cannot_be_drawn(folder, tmp_path, capsys):
    assert main(["events", "plot", str(folder), "los"]) == 2
    assert "has no scalar los; there are: eval: loss, loss" in capsys.readouterr().err
    (tmp_path / "none").mkdir()
    assert main(["events", "ls", str(tmp_path / "none")]) == 2
    assert "there is no event file in" in capsys.readouterr().err


def test_a_rising_line_rises():
    drawn = curves.drawn("t", [(0, 0.0), (1, 1.0), (2, 2.0), (3, 3.0)], 2, 1)
    dots = [ord(c) - 0x2800 for c in drawn[1].rpartition("│")[2]]
    lowest, highest = 0x40, 0x08
    assert dots[0] & lowest and dots[1] & highest
    assert not dots[0] & highest and not dots[1] & lowest


@pytest.mark.parametrize("points", [[(3, np.nan)], [(0, 1.0)], [(0, 1.0), (9, 1.0)]])
def test_curves_of_little(points):
    lines = curves.drawn("t", points, 20, 4)
    assert lines[0].startswith(f"t ({len(points)} values")
    assert len(lines) == (1 if np.isnan(points[0][1]) else 7)
