"""The errors of running ops: the `tf.errors` family and its codes."""

import traceback
from collections.abc import Callable
from typing import Any

from twinflow.base.advice import advised_by, has_fix, is_fix
from twinflow.base.frames import format_frame

OK = 0
CANCELLED = 1
UNKNOWN = 2
INVALID_ARGUMENT = 3
DEADLINE_EXCEEDED = 4
NOT_FOUND = 5
ALREADY_EXISTS = 6
PERMISSION_DENIED = 7
RESOURCE_EXHAUSTED = 8
FAILED_PRECONDITION = 9
ABORTED = 10
OUT_OF_RANGE = 11
UNIMPLEMENTED = 12
INTERNAL = 13
UNAVAILABLE = 14
DATA_LOSS = 15
UNAUTHENTICATED = 16
_ADVISED = (INVALID_ARGUMENT, NOT_FOUND, FAILED_PRECONDITION, OUT_OF_RANGE, DATA_LOSS)


class UsageError(ValueError, AssertionError):
    """A mistake of the user that TensorFlow 1.12 raises an AssertionError for.

    What it was caught as there it is here, and a ValueError as well.
    """


class OpError(Exception):
    """An op that failed while it ran; the base of the family.

    Args:
        node_def: NodeDef of the op, or None.
        op: the op in its graph, or None for an eager op.
        message: what was received, what was expected, and the fix.
        error_code: one of the codes of this module.
        frames: the user frames that made the op; by default those of `op`.

    Pickling drops `op` and `frames`: both belong to their process.
    """

    located = False  # whether the message names the node and the user's line
    brief = False  # whether the story of the op is left out, as in notebooks
    callers: list[
        Any
    ]  # the nodes that called the function of `op`, the innermost first

    def __init__(
        self, node_def: Any, op: Any, message: str, error_code: int, *,
        frames: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._node_def = node_def
        self._op = op
        self._message = message
        self._error_code = error_code
        self.callers = []
        self.frames = getattr(op, "frames", ()) if frames is None else frames

    def add_place(self, text: str) -> None:
        """Say at the end of the message where the error comes from."""
        self._message = f"{self._message}\n\t({text})"

    @property
    def node_def(self) -> Any:
        """The NodeDef of the op that failed, or None."""
        if self._node_def is None and self._op is not None:
            self._node_def = getattr(self._op, "node_def", None)
        return self._node_def

    @property
    def op(self) -> Any:
        """The op that failed, or None where it is in no graph."""
        return self._op

    @property
    def message(self) -> str:
        """The text of the error."""
        return self._message

    @property
    def error_code(self) -> int:
        """The number of the kind of error."""
        return self._error_code

    def __reduce__(self) -> tuple[Callable | tuple, ...]:
        return _rebuild, (type(self), self.node_def, self.message, self.error_code)

    def __str__(self) -> str:
        if self.brief or getattr(self._op, "traceback", None) is None:
            return str(self._message)
        return (
            f"{self._message}\n\nCaused by {self._story()}"
            f"\n{type(self).__name__} (see above for traceback): {self._message}\n"
        )

    def _story(self) -> str:
        """Where the op comes from: its frames, those of calls, those of its cause."""
        parts = [_made("", self._op)]
        parts += [_made("\n...in the function called by ", n) for n in self.callers]
        cause = getattr(self._op, "_original_op", None)
        while cause is not None:
            parts.append(_made("\n...which was originally created as ", cause))
            cause = getattr(cause, "_original_op", None)
        return "".join(parts)


class _CodedError(OpError):
    """An error whose class says its code."""

    code = UNKNOWN

    def __init__(
        self, node_def: Any, op: Any, message: str, *, frames: Any = None
    ) -> None:
        super().__init__(node_def, op, message, self.code, frames=frames)
        if self.code in _ADVISED:
            advised_by(self, message)


class CancelledError(_CodedError, OpError):
    """The op was cancelled, for example because its session was closed."""

    code = CANCELLED


class UnknownError(OpError):
    """An error of no other kind, for example an exception inside a py_func."""

    code = UNKNOWN

    def __init__(
        self, node_def: Any, op: Any, message: str, error_code: int = UNKNOWN, *,
        frames: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(node_def, op, message, error_code, frames=frames)


class InvalidArgumentError(_CodedError, OpError):
    """An op received a value it cannot take, such as a shape that does not fit."""

    code = INVALID_ARGUMENT


class DeadlineExceededError(_CodedError, OpError):
    """The time limit passed before the op was done."""

    code = DEADLINE_EXCEEDED


class NotFoundError(_CodedError, OpError):
    """A file, a checkpoint entry or a resource does not exist."""

    code = NOT_FOUND


class AlreadyExistsError(_CodedError, OpError):
    """Something that was to be made is there already."""

    code = ALREADY_EXISTS


class PermissionDeniedError(_CodedError, OpError):
    """The process may not do this, for example read this file."""

    code = PERMISSION_DENIED


class ResourceExhaustedError(_CodedError, OpError):
    """Memory, disk or another resource ran out."""

    code = RESOURCE_EXHAUSTED


class FailedPreconditionError(_CodedError, OpError):
    """The system is not ready, for example a variable has no value yet."""

    code = FAILED_PRECONDITION


class AbortedError(_CodedError, OpError):
    """The op was given up, usually because of another one running at once."""

    code = ABORTED


class OutOfRangeError(_CodedError, OpError):
    """The input is used up, for example at the end of a dataset."""

    code = OUT_OF_RANGE


class UnimplementedError(_CodedError, OpError):
    """There is no kernel for this dtype or device."""

    code = UNIMPLEMENTED


class InternalError(_CodedError, OpError):
    """An invariant of the system is broken."""

    code = INTERNAL


class UnavailableError(_CodedError, OpError):
    """A service cannot be reached now; trying again may help."""

    code = UNAVAILABLE


class DataLossError(_CodedError, OpError):
    """Data is damaged or cut off, for example a record with a wrong checksum."""

    code = DATA_LOSS


class UnauthenticatedError(_CodedError, OpError):
    """The request has no valid credentials."""

    code = UNAUTHENTICATED


_CLASS_OF_CODE: dict[int, type[OpError]] = {
    cls.code: cls for cls in _CodedError.__subclasses__()
}
_CLASS_OF_CODE[UNKNOWN] = UnknownError
_CODE_OF_CLASS = {cls: code for code, cls in _CLASS_OF_CODE.items()}


def exception_type_from_error_code(error_code: int) -> type[OpError]:
    """Return the class of a code; KeyError for OK and unknown numbers."""
    return _CLASS_OF_CODE[error_code]


def error_code_from_exception_type(cls: type[OpError]) -> int:
    """Return the code of a class; KeyError for classes outside the family."""
    return _CODE_OF_CLASS[cls]


def with_location(message: str, frames: Any) -> Any:
    """Return `message (defined at file.py:9)`; the message alone without frames."""
    if not frames:
        return message
    return f"{message} (defined at {format_frame(frames[0])})"


def _made(words: str, op: Any) -> str:
    """Words about an op, and the frames that made it."""
    frames = "".join(traceback.format_list(op.traceback))
    return f"{words}op {op.name!r}, defined at:\n{frames}"


def _rebuild(cls: Any, node_def: Any, message: str, error_code: int) -> Exception:
    """Make an error again from its pickled parts, whatever its constructor takes."""
    error = cls.__new__(cls)
    OpError.__init__(error, node_def, None, message, error_code)
    return error


def with_notes_of(error: BaseException, other: Any) -> Any:
    """`other`, which stands for `error`, with the notes of it."""
    known = has_fix(other)
    for note in getattr(error, "__notes__", ()):
        if not (known and is_fix(note)):
            other.add_note(note)
    return other


def invalid(message: str) -> InvalidArgumentError:
    """The error of a kernel, which does not know its node."""
    return InvalidArgumentError(None, None, message)


def out_of_memory(error: MemoryError) -> ResourceExhaustedError:
    """The error of an array for which there is no memory, in TensorFlow's words."""
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    what = "OOM when allocating tensor"
    if shape is not None:
        what += f" with shape[{','.join(map(str, shape))}] and type {dtype}"
    return ResourceExhaustedError(
        None, None, f"{what}: {error}" if str(error) else what
    )
