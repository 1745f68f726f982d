"""Bodies of TensorFlow Serving's REST interface: requests read, answers written."""

import contextlib
import json
from typing import Any

import orjson

from twinflow.base import errors
from twinflow.formats.protos import Example
from twinflow.serving.json_values import (
    as_bytes,
    is_bytes,
    is_written,
    to_array,
    to_value,
)
from twinflow.serving.servable import Servable, Signature, invalid

_DEFAULT = "serving_default"
_ARRAYS = orjson.OPT_SERIALIZE_NUMPY
_INT64 = range(-(2**63), 2**63)


def read(body: bytes) -> dict:
    """The object that a body holds.

    Raises:
        InvalidArgumentError: it is no JSON, or none.
    """
    with contextlib.suppress(orjson.JSONDecodeError):
        found = orjson.loads(body)
        if type(found) is dict:
            return found
    try:  # slower, but it knows NaN and Infinity, and says what is wrong
        found = json.loads(body)
    except json.JSONDecodeError as error:
        raise invalid(f"JSON Parse error: {error.msg} at offset: {error.pos}") from None
    except (ValueError, RecursionError) as error:
        raise invalid(f"JSON Parse error: {error}") from None
    if type(found) is not dict:
        raise invalid("JSON Parse error: the body of a request is an object")
    return found


def signature_of(request: dict, servable: Servable) -> Signature:
    """The signature that a request names.

    Raises:
        InvalidArgumentError: there is none.
    """
    name = request.get("signature_name", _DEFAULT)
    if type(name) is not str:
        raise invalid("'signature_name' key must be a string value.")
    found = servable.signatures.get(name or _DEFAULT)
    if found is None:
        raise invalid(
            f'Serving signature name: "{name}" not found in signature def. There are: '
            f"{', '.join(servable.signatures)}"
        )
    return found


def predict_feeds(request: dict, signature: Signature) -> tuple[dict[str, Any], bool]:
    """(the arrays by the names of inputs, whether they came as rows).

    Raises:
        InvalidArgumentError: there are neither instances nor inputs, or other ones.
    """
    if ("instances" in request) == ("inputs" in request):
        raise invalid("Missing 'inputs' or 'instances' key: a request has one of them.")
    if "inputs" in request:
        return _columns(request["inputs"], signature), False
    return _rows(request["instances"], signature), True


def _rows(instances: Any, signature: Signature) -> dict[str, Any]:
    if type(instances) is not list or not instances:
        raise invalid("'instances' must be a list with at least one element.")
    first = instances[0]
    if type(first) is not dict or is_bytes(first):
        return _single(instances, signature, "instances is a plain list, but expecting "
                       "list of objects")  # fmt: skip
    columns: dict[str, list] = {name: [] for name in signature.inputs}
    for i, instance in enumerate(instances):
        if type(instance) is not dict or instance.keys() != columns.keys():
            raise invalid(
                f"Failed to process element: {i} of 'instances' list. Error: it must "
                f"be an object with the keys {sorted(columns)}."
            )
        for name, value in instance.items():
            columns[name].append(value)
    return _arrays(columns, signature)


def _columns(inputs: Any, signature: Signature) -> dict[str, Any]:
    if type(inputs) is dict and not is_bytes(inputs):
        return _arrays(inputs, signature)
    return _single(inputs, signature, "inputs is a plain value/list, but expecting an "
                   "object")  # fmt: skip


def _single(value: Any, signature: Signature, text: str) -> dict[str, Any]:
    if len(signature.inputs) != 1:
        raise invalid(
            f"{text} as multiple input tensors required as per tensorinfo_map"
        )
    return _arrays({next(iter(signature.inputs)): value}, signature)


def _arrays(values: dict[str, Any], signature: Signature) -> dict[str, Any]:
    found = {}
    for name, value in values.items():
        if name not in signature.inputs:
            raise invalid(
                f"The signature {signature.name!r} has no input {name!r}. There are: "
                f"{', '.join(signature.inputs)}"
            )
        try:
            found[name] = to_array(value, signature.inputs[name].dtype)
        except errors.InvalidArgumentError as error:
            error.add_place(f"in the input {name!r}")
            raise
    return found


def predictions(outputs: dict[str, Any], by_row: bool) -> bytes:
    """The answer to a prediction.

    Args:
        by_row: whether the request had rows; the answer has as many then.
    Raises:
        InvalidArgumentError: the outputs do not have equally many rows.
    """
    if by_row:
        _check_rows(outputs)
    plain = all(a.dtype.kind in "OSU" or is_written(a) for a in outputs.values())
    values = {
        name: array if plain and is_written(array) else to_value(array, name)
        for name, array in outputs.items()
    }
    body = _body(values, by_row)
    return orjson.dumps(body, option=_ARRAYS) if plain else written(body)


def _body(values: dict[str, Any], by_row: bool) -> dict[str, Any]:
    only = next(iter(values.values())) if len(values) == 1 else None
    if not by_row:
        return {"outputs": values if only is None else only}
    if only is None:
        rows = zip(*values.values(), strict=True)
        only = [dict(zip(values, row, strict=True)) for row in rows]
    return {"predictions": only}


def _check_rows(outputs: dict[str, Any]) -> None:
    counts = set()
    for name, array in outputs.items():
        if array.ndim == 0:
            raise invalid(
                f"Tensor name: {name} has no rows, as the answer to 'instances' needs. "
                "Send 'inputs' instead."
            )
        counts.add(len(array))
        if len(counts) > 1:
            raise invalid(
                f"Tensor name: {name} has inconsistent batch size: {len(array)}. "
                "Send 'inputs' instead of 'instances'."
            )


def classified(rows: list[list[tuple[bytes, float]]]) -> bytes:
    """The answer to a classification: [label, score] pairs."""
    results = [
        [[label.decode(errors="replace"), score] for label, score in row]
        for row in rows
    ]
    return written({"results": results})


def regressed(values: list[float]) -> bytes:
    """The answer to a regression."""
    return written({"results": values})


def written(value: Any) -> bytes:
    """JSON, with NaN and Infinity as they are."""
    return json.dumps(value, ensure_ascii=False).encode()


def examples(request: dict) -> list[bytes]:
    """The serialized tf.Examples of a request to classify or regress.

    Raises:
        InvalidArgumentError: there are none, or a feature is no list of one kind.
    """
    given, context = request.get("examples"), request.get("context", {})
    if type(given) is not list or not given:
        raise invalid("'examples' must be a list with at least one element.")
    if type(context) is not dict:
        raise invalid("'context' must be an object of features.")
    found = []
    for i, example in enumerate(given):
        if type(example) is not dict:
            raise invalid(f"Example {i} must be an object of features.")
        message = Example()
        for name, value in {**context, **example}.items():
            _add_feature(message.features.feature[name], name, value)
        found.append(message.SerializeToString())
    return found


def _add_feature(feature: Any, name: str, value: Any) -> None:
    values = value if type(value) is list else [value]
    kinds = {type(item) for item in values}
    if kinds <= {str, dict}:
        feature.bytes_list.value.extend(map(as_bytes, values))
    elif kinds == {int} and all(item in _INT64 for item in values):
        feature.int64_list.value.extend(values)
    elif kinds <= {int, float}:
        feature.float_list.value.extend(map(float, values))
    else:
        raise invalid(
            f"The feature {name!r} must be a value or a list of values of one kind: "
            "integers, decimal numbers or strings."
        )
