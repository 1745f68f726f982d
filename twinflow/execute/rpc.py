"""Calls of other processes as ops: tf.contrib.rpc."""

import importlib.util
from typing import Any

import numpy as np

from twinflow.base import errors
from twinflow.base.dispatch import apply
from twinflow.base.op import define
from twinflow.base.operators import TensorValue
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import broadcast_shapes
from twinflow.ops.strings.arrays import flat

_PROTOCOLS = ("", "grpc")


def _outcomes(
    address: Any, method: Any, request: Any, protocol: str, fail_fast: bool,
    timeout_in_ms: int,
) -> tuple[tuple, list]:  # fmt: skip
    """(the shape, [(response, code, text)]) of all calls."""
    if protocol not in _PROTOCOLS:
        raise errors.UnimplementedError(
            None, None, f"RPC protocol {protocol!r} is not there: take 'grpc'."
        )
    if importlib.util.find_spec("grpc") is None:
        raise errors.UnimplementedError(
            None, None, "Calls of other processes need gRPC: pip install "
            "'twinflow[cluster]'.",
        )  # fmt: skip
    from twinflow.remote import raw_calls

    whole = np.broadcast_arrays(address, method, request)
    addresses, methods = ([s.decode() for s in flat(a)] for a in whole[:2])
    seconds = timeout_in_ms / 1000 if timeout_in_ms > 0 else None
    found = raw_calls.called(addresses, methods, flat(whole[2]), fail_fast, seconds)
    return whole[0].shape, found


def _strings(values: Any, shape: tuple) -> Any:
    out = np.empty(len(values), object)
    out[:] = values
    return out.reshape(shape)


def _rpc(address: Any, method: Any, request: Any, **settings: Any) -> Any:
    shape, found = _outcomes(address, method, request, **settings)
    for _, code, text in found:
        if code:
            kind: Any = errors.exception_type_from_error_code(code)
            raise kind(None, None, text)
    return _strings([response for response, _, _ in found], shape)


def _try_rpc(address: Any, method: Any, request: Any, **settings: Any) -> list:
    shape, found = _outcomes(address, method, request, **settings)
    responses, codes, texts = zip(*found, strict=True) if found else ((), (), ())
    numbers = np.array(codes, np.int32).reshape(shape)
    return [
        _strings(responses, shape), numbers,
        _strings([t.encode() for t in texts], shape),
    ]  # fmt: skip


def _infer(address: Any, method: Any, request: Any, **_: Any) -> Any:
    shapes = [t._shape for t in (address, method, request)]
    if None in shapes:
        return None
    return broadcast_shapes(broadcast_shapes(*shapes[:2]), shapes[2])


Rpc = define("Rpc", infer=_infer, host=_rpc, stateful=True)
TryRpc = define(
    "TryRpc", infer=lambda *a, **k: [_infer(*a, **k)] * 3, host=_try_rpc, stateful=True
)


def rpc(
    address: TensorValue, method: TensorValue, request: TensorValue,
    protocol: str = "", fail_fast: bool = True, timeout_in_ms: int = 0,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Call methods of other processes by gRPC, all at once.

    Args:
        address: string, as "host:port". method: string, as "/package.Service/Method".
        request: string, serialized messages; the three broadcast.
        protocol: "grpc". fail_fast: whether to fail at once where nobody listens.
        timeout_in_ms: for each call; 0 = none. name: the name of the node in a graph.
    Returns:
        string, the serialized answers.
    Raises:
        tf.errors.OpError: the error of the first call that failed, by its code.
        tf.errors.UnimplementedError: gRPC is not installed.
    """
    attrs = _attrs(protocol, fail_fast, timeout_in_ms)
    return apply(Rpc, (address, method, request), attrs, name)


def try_rpc(
    address: TensorValue, method: TensorValue, request: TensorValue,
    protocol: str = "", fail_fast: bool = True, timeout_in_ms: int = 0,
    name: str | None = None,
) -> tuple[Any, ...]:  # fmt: skip
    """As `rpc`, with the codes of the calls in place of an error.

    Args:
        address, method, request, protocol, fail_fast, timeout_in_ms, name: see `rpc`.
    Returns:
        (response string, status_code int32, status_message string); the code is 0 where
        all went well.
    """
    attrs = _attrs(protocol, fail_fast, timeout_in_ms)
    return tuple(apply(TryRpc, (address, method, request), attrs, name))


def _attrs(protocol: str, fail_fast: bool, timeout_in_ms: int) -> dict:
    return {
        "protocol": protocol, "fail_fast": fail_fast, "timeout_in_ms": timeout_in_ms
    }  # fmt: skip
