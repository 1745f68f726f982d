"""Calls of any gRPC method, with bytes for messages."""

import functools
from collections.abc import Sequence
from typing import Any

import grpc


@functools.lru_cache(maxsize=64)
def _channel(address: str) -> Any:
    return grpc.insecure_channel(address)


def called(
    addresses: Sequence[str], methods: Sequence[str], requests: Sequence[bytes],
    fail_fast: bool, seconds: float | None,
) -> list[tuple[bytes, int, str]]:  # fmt: skip
    """(response, code, text) of each call; all at once."""
    futures = [
        _channel(address)
        .unary_unary(method)
        .future(request, timeout=seconds, wait_for_ready=not fail_fast)
        for address, method, request in zip(addresses, methods, requests, strict=True)
    ]
    return [_outcome(f) for f in futures]


def _outcome(future: Any) -> tuple[bytes, int, str]:
    try:
        return future.result(), 0, ""
    except grpc.RpcError as error:
        return b"", error.code().value[0], error.details() or ""  # type: ignore
