"""The table of public names and the indexes that read it."""

import importlib
import sys
import types

import pytest

import twinflow
from tests.support.stubs import indexes
from twinflow.base import public_index


def test_each_index_has_its_section_and_each_section_its_index():
    names = {name.removeprefix("twinflow").removeprefix(".") for name in indexes()}
    assert names == set(public_index.sections())


def test_no_name_stands_twice():
    for head, text in public_index.sections().items():
        names = [
            entry.partition("=")[0]
            for line in text.splitlines()
            for entry in line.partition(":" if line[:1] != " " else " ")[2].split()
        ]
        assert len(names) == len(set(names)), head  # fmt: skip


def test_lines_of_a_table():
    text = "a.b: x y=z\n  w\nm: m=*\n: top=other"
    assert public_index.table(text) == {
        "x": ("a.b", "x"), "y": ("a.b", "z"), "w": ("a.b", "w"), "m": ("m", "*"),
        "top": ("", "other"),
    }  # fmt: skip


def test_names_are_loaded_at_their_first_use(monkeypatch):
    section = {"planted": "base.dtypes: float32 half=float16\nbase.nest: nest=*\n"}
    monkeypatch.setattr(public_index, "sections", lambda: section)
    index = types.ModuleType("twinflow.planted")
    monkeypatch.setitem(sys.modules, "twinflow.planted", index)
    index.__getattr__, index.__dir__, listed = public_index.attach("twinflow.planted")
    assert listed == ["float32", "half", "nest"] and set(listed) <= set(dir(index))
    assert "half" not in vars(index)
    assert index.half is twinflow.float16 and "half" in vars(index)
    assert index.nest is importlib.import_module("twinflow.base.nest")
    with pytest.raises(
        AttributeError, match=r"^module 'twinflow\.planted' has no attr"
    ):
        _ = index.nothing


def test_an_index_without_a_section_says_so():
    with pytest.raises(KeyError, match="planted"):
        public_index.attach("twinflow.planted")
