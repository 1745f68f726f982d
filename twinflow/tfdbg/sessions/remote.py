"""Debuggers on the other side of a network, which twinflow leaves out."""

from typing import Any

from twinflow.base import errors


class _LeftOut:
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise errors.UnimplementedError(
            None, None,
            f"{type(self).__name__} is left out: twinflow talks to no grpc server, and "
            "TensorBoard's debugger is none of its parts. Use "
            "LocalCLIDebugWrapperSession, or DumpingDebugWrapperSession with "
            "`python -m tensorflow.python.debug.cli.offline_analyzer`.",
        )  # fmt: skip


class GrpcDebugWrapperSession(_LeftOut):
    """Refuse: there is no grpc."""


class TensorBoardDebugWrapperSession(_LeftOut):
    """Refuse: there is no grpc."""


class GrpcDebugHook(_LeftOut):
    """Refuse: there is no grpc."""


class TensorBoardDebugHook(_LeftOut):
    """Refuse: there is no grpc."""
