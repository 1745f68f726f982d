"""A loaded model: its signatures, and runs of them."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.shapes import TensorShape
from twinflow.serving.paces import Paces, is_bounded


class Slot(NamedTuple):
    """An input or output of a signature.

    Args:
        tensor: in the graph. dtype: its DType. shape: its TensorShape. dims: the same
            as a list of int or None; None if the rank is not known.
    """

    tensor: Any
    dtype: Any
    shape: TensorShape
    dims: list[int | None] | None


class Signature(NamedTuple):
    """What a model can be asked for.

    Args:
        name: its key. method: its method name, "tensorflow/serving/predict" or another.
        inputs, outputs: Slots by name.
    """

    name: str
    method: str
    inputs: dict[str, Slot]
    outputs: dict[str, Slot]


class Servable:
    """A model in memory.

    Args:
        session: a Session with the values of its variables.
        signatures: its Signatures by name. messages: their SignatureDefs by name.
    """

    def __init__(self, session: Any, signatures: dict, messages: dict) -> None:
        self._session = session
        self.signatures: dict[str, Signature] = signatures
        self.messages = messages
        self.apart: set = set()  # (signature, outputs) that no batch can be split for
        self._paces: dict[str, Paces] = {}  # of signatures whose runs are bounded
        self._runs: dict[tuple, Callable] = {}  # by signature and outputs

    def run(
        self, signature: Signature, feeds: dict[str, Any], outputs: tuple[str, ...]
    ) -> dict[str, Any]:
        """The values of outputs by name.

        Args:
            feeds: arrays by the names of the signature's inputs, which `checked` let
                through. outputs: the names of those wanted.
        Raises:
            tf.errors.OpError: what an op raised.
        """
        paces = self._paces.get(signature.name)
        if paces is not None:
            size, start = size_of(feeds), time.perf_counter()
            values = self._planned(signature, outputs)(feeds)
            paces.took(size, time.perf_counter() - start)
        else:
            fetches = [signature.outputs[name].tensor for name in outputs]
            fed = {slot.tensor: feeds[name] for name, slot in signature.inputs.items()}
            values = map(np.asarray, self._session.run(fetches, fed))
        return dict(zip(outputs, values, strict=True))

    def _planned(self, signature: Signature, outputs: tuple[str, ...]) -> Callable:
        """A run of a bounded signature: what a session looks up is looked up once."""
        found = self._runs.get((signature.name, outputs))
        if found is None:
            fetches = tuple(signature.outputs[name].tensor for name in outputs)
            feeds = tuple(slot.tensor for slot in signature.inputs.values())
            plan, names = self._session._plan(fetches, feeds), tuple(signature.inputs)
            found = self._runs[signature.name, outputs] = lambda feeds: [
                np.array(v) for v in plan.use_up([feeds[name] for name in names])
            ]
        return found

    def is_quick(self, signature: Signature, size: int) -> bool:
        """Whether a run is not worth a thread of its own: see Note [Quick runs].

        Args:
            size: the bytes of what is fed.
        """
        paces = self._paces.get(signature.name)
        return paces is not None and paces.quick(size)

    def prepare(self) -> None:
        """Plan the runs of each signature, so that the first need not: runs nothing."""
        for signature in self.signatures.values():
            fetches = tuple(slot.tensor for slot in signature.outputs.values())
            feeds = tuple(slot.tensor for slot in signature.inputs.values())
            # kept under the key that `run` uses
            plan = self._session._plan(fetches, feeds)
            if is_bounded(plan.program.nodes):
                self._paces[signature.name] = Paces()

    def close(self) -> None:
        """Free the values."""
        self._session.close()


def size_of(feeds: dict[str, Any]) -> int:
    """The bytes of arrays."""
    return sum(array.nbytes for array in feeds.values())


def checked(signature: Signature, feeds: dict[str, Any]) -> dict[str, Any]:
    """Arrays that a signature takes.

    Raises:
        InvalidArgumentError: names, dtypes or shapes do not fit.
    """
    if feeds.keys() != signature.inputs.keys():
        raise _other_names(signature, feeds)
    for name, slot in signature.inputs.items():
        array = feeds[name]
        wanted = slot.dtype.np
        if slot.dtype is dtypes.string:
            fits = array.dtype == object or array.dtype.kind == "S"
        else:
            fits = array.dtype == wanted
        if not fits:
            raise invalid(
                f"The input {name!r} of the signature {signature.name!r} is of the "
                f"dtype {slot.dtype.name}, but {array.dtype} was sent."
            )
        if not _has_shape(array.shape, slot.dims):
            raise invalid(
                f"The input {name!r} of the signature {signature.name!r} has the shape "
                f"{slot.shape}, but {array.shape} was sent."
            )
    return feeds


def _has_shape(shape: tuple, dims: list | None) -> bool:
    return dims is None or (
        len(shape) == len(dims)
        and all(d is None or d == n for n, d in zip(shape, dims, strict=True))
    )


def _other_names(signature: Signature, feeds: dict[str, Any]) -> errors.OpError:
    sent, wanted = sorted(feeds), sorted(signature.inputs)
    extra = [name for name in sent if name not in wanted]
    missing = [name for name in wanted if name not in sent]
    return invalid(
        f"input size does not match signature: {len(sent)}!={len(wanted)} "
        f"len({{{','.join(sent)}}}) != len({{{','.join(wanted)}}}). "
        f"Sent extra: {{{','.join(extra)}}}. "
        f"Missing but required: {{{','.join(missing)}}}."
    )


def invalid(text: str) -> errors.OpError:
    """An InvalidArgumentError."""
    return errors.InvalidArgumentError(None, None, text)
