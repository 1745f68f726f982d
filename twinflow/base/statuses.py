"""Codes and messages of calls that raise nothing themselves."""

from typing import Any

from twinflow.base import errors


class TF_Status:
    """A code and what it means.

    Attributes:
        code: an int, 0 if all is well. message: a text.
    """

    def __init__(self) -> None:
        self.code, self.message = errors.OK, ""


def TF_NewStatus() -> TF_Status:
    """A status that says that all is well."""
    return TF_Status()


def TF_DeleteStatus(status: TF_Status) -> None:
    """Accepted: statuses go by themselves."""


def TF_SetStatus(status: TF_Status, code: int, message: str) -> None:
    """Give a status its code and message."""
    status.code, status.message = code, message


def TF_GetCode(status: TF_Status) -> int:
    """The code of a status."""
    return status.code


def TF_Message(status: TF_Status) -> str:
    """The message of a status."""
    return status.message


class raise_exception_on_not_ok_status:
    """A block with a status, whose error is raised at its end.

    Example:
        with tf.errors.raise_exception_on_not_ok_status() as status:
            pass  # calls that may set it
    """

    def __enter__(self) -> TF_Status:
        self.status = TF_Status()
        return self.status

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> None:
        if kind is None and self.status.code != errors.OK:
            error: Any = errors.exception_type_from_error_code(self.status.code)
            raise error(None, None, self.status.message)
