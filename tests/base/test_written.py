"""Functions that are made from a list of parameters."""

import inspect
import pickle

import pytest

from twinflow.base.written import REQUIRED, optional, public_form, with_shared, written


def total(a, b=2, *, c=3):
    """The sum of its arguments."""
    return a + b + c


OWN = list(inspect.signature(total).parameters.values())
summed = public_form(
    total, with_shared(OWN, optional(factor=1)),
    lambda given: given.pop("factor") * total(**given), "summed",
)  # fmt: skip


def test_shared_parameters_come_before_those_by_keyword_only():
    assert str(inspect.signature(summed)) == "(a, b=2, factor=1, c=3)"
    assert summed(1) == 6
    assert summed(1, 1, 10, 1) == summed(a=1, b=1, c=1, factor=10) == 30


def test_it_is_called_and_documented_as_one_that_was_written_down():
    assert (summed.__name__, summed.__module__) == ("summed", __name__)
    assert summed.__doc__ == total.__doc__
    assert pickle.loads(pickle.dumps(summed)) is summed


@pytest.mark.parametrize(
    ("args", "kwargs", "text"),
    [
        ((), {}, "missing 1 required positional argument: 'a'"),
        ((1,), {"d": 1}, "got an unexpected keyword argument 'd'"),
        ((1,), {"a": 1}, "got multiple values for argument 'a'"),
        (range(5), {}, "takes from 1 to 4 positional arguments but 5 were given"),
    ],
)
def test_errors_are_those_of_python(args, kwargs, text):
    with pytest.raises(TypeError, match=rf"^summed\(\) {text}$"):
        summed(*args, **kwargs)


def test_annotations_stay():
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [
        inspect.Parameter("a", kind, annotation=int),
        *optional(b=REQUIRED),
    ]
    made = written("made", None, __name__, parameters, lambda given: given)
    assert made.__annotations__ == {"a": int}
    assert made(1, b=2) == {"a": 1, "b": 2}
