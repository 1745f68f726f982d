"""What another thread writes while a cell's value is on its way stays."""

import numpy as np
import pytest

from twinflow.base import state
from twinflow.base.state import Cell

OLD, NEW = np.zeros(3, "f"), np.ones(3, "f")


class Buffer:
    """In place of a device buffer; `meanwhile` is called while it is copied."""

    def __init__(self, value, meanwhile=lambda: None):
        self.value, self.meanwhile = value, meanwhile

    def is_deleted(self):
        return False

    def __array__(self, dtype=None, copy=None):
        self.meanwhile()
        return self.value


def cell_of(array=None, buffer=None):
    cell = Cell("x", None, (3,), array)
    cell.device_value = buffer
    return cell


@pytest.mark.parametrize("write", [
    lambda cell: cell.write(NEW), lambda cell: cell.write_device(Buffer(NEW)),
])  # fmt: skip
def test_a_value_written_while_the_old_one_is_read(write):
    cell = cell_of(buffer=Buffer(OLD, lambda: write(cell)))
    assert cell.read() is NEW
    assert cell.read() is NEW and np.asarray(cell.state()) is NEW


def test_the_copy_is_kept_where_nobody_wrote():
    times = []
    cell = cell_of(buffer=Buffer(OLD, lambda: times.append(1)))
    assert cell.read() is OLD and cell.read() is OLD and times == [1]


def test_a_buffer_is_left_where_its_value_is_still_there():
    made = Buffer(OLD)
    cell = cell_of(array=OLD)
    assert cell.state() is OLD
    cell.leave(made, OLD)
    assert cell.state() is made and cell.read() is OLD
    other = Buffer(OLD)
    cell.leave(other, made)
    assert cell.state() is other


class Came:
    """In place of the set of cells whose buffers are taken: a program comes and goes
    before it is looked at.
    """

    def __init__(self, program):
        self.program = program

    def __contains__(self, cell):
        self.program()
        return False


def test_a_buffer_that_was_taken_meanwhile_is_not_held(monkeypatch):
    cell = cell_of(buffer=Buffer(OLD))
    new = Buffer(NEW)
    monkeypatch.setattr(state, "taken", Came(lambda: cell.write_device(new)))
    assert cell.held() is new
    cell = cell_of(buffer=Buffer(OLD))
    assert cell.state(held=True) is new


@pytest.mark.parametrize("buffer", [None, Buffer(NEW)])
def test_a_buffer_of_an_older_value_is_not_left(buffer):
    cell = cell_of(array=None if buffer else NEW, buffer=buffer)
    cell.leave(Buffer(OLD), OLD)
    assert np.asarray(cell.state()) is NEW and cell.device_value is buffer
