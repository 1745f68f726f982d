"""Training that goes on in another program: values, slots, parts of files."""

import numpy as np
import pytest

from tests.checkpoint.there import both, here, old, there
from tests.modes import eager, graph

__all__ = ["eager", "graph", "there"]


def same(a, b):
    """Whether nested numbers are the same to float32's precision."""
    if isinstance(a, dict):
        assert sorted(a) == sorted(b)
        a, b = ([x[k] for k in sorted(x)] for x in (a, b))
    if isinstance(a, list):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            same(x, y)
    else:
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)  # sums in another order


def both_ways(function, there, tmp_path):
    """Two steps on either side, one more from the other side's file."""
    path, values = there(function, path=str(tmp_path / "there"), steps=2)
    ours, expected = here(function, path=str(tmp_path / "here"), steps=2)
    same(expected, values)
    on = {"path": str(tmp_path / "on"), "steps": 1}
    same(here(function, start=path, **on)[1], there(function, start=ours, **on)[1])


@pytest.mark.interop
@both
def test_graphs_go_on(graph, there, tmp_path):
    both_ways("graph", there, tmp_path)


@pytest.mark.interop
@both
def test_objects_go_on(eager, there, tmp_path):
    both_ways("objects", there, tmp_path)


@pytest.mark.interop
@old
def test_keras_models_go_on(eager, there, tmp_path):
    both_ways("keras", there, tmp_path)


@pytest.mark.interop
@both
def test_parts_of_our_graphs_are_restored(graph, there, tmp_path):
    path, values = here("graph", path=str(tmp_path / "here"), steps=2)
    found, other = there("graph_part", start=path)
    same(found, {name: values[name] for name in found})
    assert other == 7.0


@pytest.mark.interop
@both
def test_parts_of_their_graphs_are_restored(graph, there, tmp_path):
    path, values = there("graph", path=str(tmp_path / "there"), steps=2)
    found, other = here("graph_part", start=path)
    same(found, {name: values[name] for name in found})
    assert other == 7.0


@pytest.mark.interop
@both
def test_parts_of_objects_are_restored(eager, there, tmp_path):
    path, _ = here("objects", path=str(tmp_path / "here"), steps=2)
    said, values, new = there("objects_part", start=path)
    assert said == [True, False, True] and new == 3.0
    ours = here("objects_part", start=path)
    assert ours[0] == said and ours[2] == new
    same(ours[1], values)


def test_the_program_goes_on_here(graph, tmp_path):
    path, _ = here("graph", path=str(tmp_path / "a"), steps=2)
    _, on = here("graph", path=str(tmp_path / "b"), steps=1, start=path)
    same(on, here("graph", path=str(tmp_path / "c"), steps=3)[1])


def test_objects_go_on_here(eager, tmp_path):
    path, _ = here("objects", path=str(tmp_path / "a"), steps=2)
    _, on = here("objects", path=str(tmp_path / "b"), steps=1, start=path)
    same(on, here("objects", path=str(tmp_path / "c"), steps=3)[1])
    assert here("objects_part", start=path)[0] == [True, False, True]
