"""The error family as in TensorFlow 1.12, and the user frames that errors name."""

import os
import pickle
import sys
from types import SimpleNamespace

import pytest

from twinflow.base import errors, frames, nest

# Read from TensorFlow 1.12.
CODES = {
    "CancelledError": 1,
    "UnknownError": 2,
    "InvalidArgumentError": 3,
    "DeadlineExceededError": 4,
    "NotFoundError": 5,
    "AlreadyExistsError": 6,
    "PermissionDeniedError": 7,
    "ResourceExhaustedError": 8,
    "FailedPreconditionError": 9,
    "AbortedError": 10,
    "OutOfRangeError": 11,
    "UnimplementedError": 12,
    "InternalError": 13,
    "UnavailableError": 14,
    "DataLossError": 15,
    "UnauthenticatedError": 16,
}


@pytest.mark.parametrize("name, code", CODES.items())
def test_class_and_code(name, code):
    cls = getattr(errors, name)
    error = cls("def", "op", "text")
    assert (error.node_def, error.op, error.message) == ("def", "op", "text")
    assert error.error_code == code and str(error) == "text" and error.args == ()
    assert isinstance(error, errors.OpError)
    assert errors.exception_type_from_error_code(code) is cls
    assert errors.error_code_from_exception_type(cls) == code


def test_constants_and_numbers_without_class():
    assert (errors.OK, errors.CANCELLED, errors.DATA_LOSS) == (0, 1, 15)
    assert errors.UNAUTHENTICATED == 16
    for number in (errors.OK, 99):
        with pytest.raises(KeyError):
            errors.exception_type_from_error_code(number)
    for cls in (ValueError, errors.OpError):
        with pytest.raises(KeyError):
            errors.error_code_from_exception_type(cls)


def test_constructors():
    by_name = errors.OpError(node_def=None, op=None, message="m", error_code=3)
    assert by_name.error_code == 3
    assert errors.UnknownError(None, None, "m", 7).error_code == 7
    assert errors.NotFoundError(None, None, None).message is None


def test_pickle_drops_what_belongs_to_the_process():
    op = SimpleNamespace(frames=frames.user_frames())
    for cls in (errors.InvalidArgumentError, errors.UnknownError):
        error = cls(None, op, "text")
        assert error.frames == op.frames
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is cls and again.op is None and again.frames == ()
        assert (again.message, again.error_code) == ("text", error.error_code)


def test_frames_start_at_the_user_and_skip_twinflow():
    [found] = nest.map_structure(lambda _: frames.user_frames(), [0])
    names = [code.co_name for code, _ in found[:2]]
    assert names == ["<lambda>", "test_frames_start_at_the_user_and_skip_twinflow"]


def test_frame_texts(monkeypatch):
    [pair], line = frames.user_frames(limit=1), sys._getframe().f_lineno
    assert frames.source_line(pair).startswith("[pair], line = frames.user_frames(")
    monkeypatch.chdir(os.path.dirname(__file__))
    assert frames.format_frame(pair) == f"test_errors.py:{line}"
    assert errors.with_location("bad", (pair,)) == (
        f"bad (defined at test_errors.py:{line})"
    )
    assert errors.with_location("bad", ()) == "bad"
    monkeypatch.chdir("/usr")
    assert frames.format_frame(pair) == f"{__file__}:{line}"


def captured_in(filename):
    names = {"user_frames": frames.user_frames}
    exec(compile("found = user_frames()", filename, "exec"), names)
    return filename in [code.co_filename for code, _ in names["found"]]


def test_which_files_are_internal():
    package = os.path.dirname(os.path.dirname(frames.__file__))
    site = os.path.dirname(os.path.dirname(sys.modules["numpy"].__file__))
    assert not captured_in(os.path.join(package, "ops", "made_up.py"))
    assert not captured_in(os.path.join(site, "jax", "made_up.py"))
    assert not captured_in("<frozen importlib._bootstrap>")
    assert captured_in(os.path.join(package, "testing", "made_up.py"))
    assert captured_in(os.path.join(site, "user_package", "made_up.py"))
    assert captured_in("<stdin>")


def test_limit():
    def deeper(depth):
        return deeper(depth - 1) if depth else frames.user_frames(limit=3)

    assert [code.co_name for code, _ in deeper(5)] == ["deeper"] * 3
    assert len(frames.user_frames()) == 8
