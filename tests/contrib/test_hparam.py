"""tf.contrib.training.HParams: settings that remember their types."""

import pytest

import twinflow as tf
from twinflow.contrib.training.hparam import parse_values

HParams = tf.contrib.training.HParams
TYPES = {"a": int, "b": float, "c": str, "d": bool}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a=1,b=2,c=two words,d=true", {"a": 1, "b": 2.0, "c": "two words", "d": True}),
        ("a=[1,2], d=0", {"a": [1, 2], "d": False}),
        ("a[0]=1,a[1]=2", {"a": {0: 1, 1: 2}}),
        ("c=a=b", {"c": "a=b"}),
        ("c=[x,y z,]", {"c": ["x", "y", "z"]}),
        ("c=,b=1e-3,a= 5", {"c": "", "b": 0.001, "a": 5}),
        ("", {}),
    ],
)  # fmt: skip
def test_texts(text, found):
    assert parse_values(text, TYPES) == found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a", "Malformed hyperparameter value: a"),
        ("a=1,,b=2", "Malformed hyperparameter value: ,b=2"),
        ("a=1,a=2", "Multiple assignments to variable 'a' in a=1,a=2"),
        ("a[0]=1,a[0]=3", "Multiple assignments to variable 'a[0]' in a[0]=1,a[0]=3"),
        ("a=1,a[2]=3", "Multiple assignments to variable 'a' in a=1,a[2]=3"),
        ("a=1.0", "Could not parse hparam 'a' of type 'int' with value '1.0' in a=1.0"),
        ("zz=1", "Unknown hyperparameter type for zz"),
    ],
)
def test_texts_that_cannot_be_read(text, words):
    with pytest.raises(ValueError) as raised:
        parse_values(text, TYPES)
    assert str(raised.value) == words


def settings():
    return HParams(a=1, b=2.5, c="x", d=[1, 2], e=True)


def test_values():
    h = settings()
    assert h.a == 1 and "a" in h and h.values()["d"] == [1, 2]
    shown = "[('a', 1), ('b', 2.5), ('c', 'x'), ('d', [1, 2]), ('e', True)]"
    assert (str(h), repr(h)) == (shown, f"HParams({shown})")
    assert h.parse("a=3,b=4,d=[5,6],e=false") is h and (h.b, h.e) == (4.0, False)
    assert h.override_from_dict({"a": 7}).a == 7 and h.parse_json('{"a": 9}').a == 9
    assert h.to_json() == '{"a": 9, "b": 4.0, "c": "x", "d": [5, 6], "e": false}'
    assert (h.get("a"), h.get("no"), h.get("no", 3)) == (9, None, 3)
    h.del_hparam("a")
    assert "a" not in h and not hasattr(h, "a")


@pytest.mark.parametrize(
    ("name", "value"), [("a", 2.5), ("a", True), ("c", 3), ("d", 3), ("a", [1])]
)
def test_types_are_kept(name, value):
    with pytest.raises(ValueError, match=r"Could not cast|Must"):
        settings().set_hparam(name, value)


def test_names_that_are_refused():
    h = settings()
    for name, value in [("a", 1), ("values", 1), ("many", [])]:
        with pytest.raises(ValueError, match=r"reserved|cannot be empty"):
            h.add_hparam(name, value)
    with pytest.raises(KeyError):
        h.set_hparam("q", 1)
    with pytest.raises(ValueError, match="incompatible with default=x"):
        h.get("a", "x")
    h.set_model_structure("deep")
    assert h.get_model_structure() == "deep"


def test_settings_as_a_message_and_back():
    made = HParams(a=1, b=2.0, c="x", d=True, e=[1, 2], f=["p", "q"])
    found = HParams(hparam_def=made.to_proto())
    assert found.values() == made.values()
    assert made.to_proto().hparam["e"].int64_list.value == [1, 2]
    assert found.parse("a=7,f=[r]").f == ["r"]
    with pytest.raises(AssertionError, match="hparam_def must be an HParamDef"):
        HParams(hparam_def=3)
