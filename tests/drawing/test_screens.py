"""Progress bars where standard output is a terminal, a log, a notebook, or caught."""

import io
import os
import pty
import sys
import types

import numpy as np
import pytest

import twinflow as tf
from twinflow.drawing import screens

K = tf.keras


class OutStream(io.StringIO):
    """As the standard output of a notebook's kernel."""


OutStream.__module__ = "ipykernel.iostream"


class Shown:
    """The displays of a notebook, each with all that it showed."""

    def __init__(self):
        self.all = []

    def display(self, value, display_id):
        assert display_id is True
        self.all.append([repr(value)])
        place = self.all[-1]
        return types.SimpleNamespace(update=lambda value: place.append(repr(value)))


def fit(**more):
    x = np.ones((6, 2), np.float32)
    with tf.Graph().as_default():
        model = K.Sequential([K.layers.Dense(1, input_shape=(2,))])
        model.compile("sgd", "mse")
        model.fit(x, x[:, :1], batch_size=2, epochs=2, **more)
        model.evaluate(x, x[:, :1])
        model.predict(x, verbose=1)


def lines_of_a_file(tmp_path, monkeypatch, work):
    with open(tmp_path / "log", "w+") as out:
        monkeypatch.setattr(sys, "stdout", out)
        work()
        out.seek(0)
        return out.read().splitlines()


def test_what_standard_output_is(tmp_path):
    with open(tmp_path / "log", "w") as out:
        assert screens.screen_of(out) == screens.LOG
    assert screens.screen_of(out) == screens.CAUGHT  # it is closed
    assert screens.screen_of(io.StringIO()) == screens.CAUGHT
    assert screens.screen_of(OutStream()) == screens.NOTEBOOK
    assert screens.screen_of(object()) == screens.CAUGHT
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "w"), os.fdopen(theirs, "w") as out:
        assert screens.screen_of(out) == screens.TERMINAL


def test_a_log_has_a_line_an_epoch(tmp_path, monkeypatch):
    lines = lines_of_a_file(tmp_path, monkeypatch, fit)
    assert [line.split(" - ")[0] for line in lines] == [
        "Epoch 1/2", "6/6 [==============================]",
        "Epoch 2/2", "6/6 [==============================]",
        "6/6 [==============================]", "6/6 [==============================]",
    ]  # fmt: skip
    assert "loss: " in lines[1]
    assert not any(c in "\b\r" for line in lines for c in line)


def test_a_log_has_a_line_now_and_then(tmp_path, monkeypatch):
    clock = iter(range(0, 10_000, 3))
    monkeypatch.setattr("time.time", lambda: next(clock))

    def work():
        bar = K.utils.Progbar(20, width=10)
        for i in range(20):
            bar.update(i + 1, [("a", i)])

    lines = lines_of_a_file(tmp_path, monkeypatch, work)
    assert [line.split(" ")[0] for line in lines] == ["", "", "12/20", "16/20", "20/20"]
    assert [line.split("/")[0].strip() for line in lines[:2]] == ["4", "8"]


def unknown_steps(epochs):
    """A bar of epochs of which nobody knows how long they are."""
    bar = K.callbacks.ProgbarLogger("steps")
    bar.params = {"verbose": 1, "epochs": epochs, "steps": None, "metrics": ["loss"]}
    bar.on_train_begin()
    for epoch in range(epochs):
        bar.on_epoch_begin(epoch)
        for _ in range(7):
            bar.on_batch_begin(0)
            bar.on_batch_end(0, {"loss": 2.0})
        bar.on_epoch_end(epoch, {"loss": 2.0})


def test_a_log_of_an_unknown_number_of_steps(tmp_path, monkeypatch):
    lines = lines_of_a_file(tmp_path, monkeypatch, lambda: unknown_steps(1))
    assert len(lines) == 2 and lines[1].strip().startswith("7/Unknown")


def displays(monkeypatch, work):
    """The displays that a notebook has after some work, which prints nothing."""
    found, out = Shown(), OutStream()
    module = types.SimpleNamespace(display=found.display)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        work()
    assert out.getvalue() == ""
    return found.all


def test_a_notebook_keeps_epochs_of_unknown_length(monkeypatch):
    (display,) = displays(monkeypatch, lambda: unknown_steps(3))
    assert [line.split("/U")[0].split() for line in display[-1].splitlines()] == [
        ["Epoch", f"{n}/3", "7"] for n in (1, 2, 3)
    ]


def test_a_notebook_has_one_display_for_all_epochs(monkeypatch):
    shown = displays(monkeypatch, fit)
    assert len(shown) == 3  # of fit, evaluate and predict
    last = shown[0][-1].splitlines()
    assert [line.split(" [")[0] for line in last] == [
        "Epoch 1/2  6/6",
        "Epoch 2/2  6/6",
    ]


def test_a_board_draws_how_far_it_is():
    board = screens.Board()
    board._handle = types.SimpleNamespace(update=lambda value: None)
    board.show("1/4 <b>", 0.25, False)
    assert (
        "value='0.2500'" in board._repr_html_() and "&lt;b&gt;" in board._repr_html_()
    )
    board.show("4/4", 0.5, True)  # the first of two
    assert repr(board) == "4/4" and "value='0.5000'" in board._repr_html_()
    board.show("4/4", 1.0, True)
    assert repr(board) == "4/4\n4/4" and "progress" not in board._repr_html_()


@pytest.mark.parametrize("verbose", [0, 2])
def test_without_a_bar_nothing_changes(verbose, monkeypatch, capsys):
    fit(verbose=verbose)
    caught = capsys.readouterr().out.splitlines()
    assert len([line for line in caught if "loss" in line]) == (2 if verbose else 0)
