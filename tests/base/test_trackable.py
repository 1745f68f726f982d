"""Parts of objects and their names."""

from twinflow.base.tensor import ResourceHandle
from twinflow.base.trackable import Trackable, children, is_part, leaves


class Thing(Trackable):
    def __init__(self, **parts):
        self.parts = parts

    def _children(self):
        return list(self.parts.items())


def test_what_is_a_part():
    assert is_part(Thing()) and is_part(ResourceHandle())
    assert is_part([]) and is_part({}) and is_part((1, Thing()))
    assert not is_part((1, 2)) and not is_part(3) and not is_part("text")


def test_children_are_named_by_their_place():
    a, b = Thing(), Thing()
    assert children(Thing(x=a, y=[b])) == [("x", a), ("y", [b])]
    assert children([a, 3, b]) == [("0", a), ("2", b)]
    assert children({"k": a, 7: b, "n": 1}) == [("k", a), ("7", b)]
    assert children(3) == []


def test_leaves_are_found_depth_first():
    a, b, v = Thing(), Thing(), ResourceHandle()
    assert list(leaves([a, {"x": [v]}, (b, 3)])) == [a, v, b]
    assert list(leaves(a)) == [a]
