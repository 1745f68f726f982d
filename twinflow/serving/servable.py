"""A loaded model: its signatures, and runs of them."""

import time
from typing import Any, NamedTuple

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.base.shapes import TensorShape
from twinflow.serving.paces import Paces, is_bounded


class Slot(NamedTuple):
    """An input or output of a signature.

    Args:
        tensor: in the graph. dtype: its DType. shape: its TensorShape.
    """

    tensor: Any
    dtype: Any
    shape: TensorShape


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
        fetches = [signature.outputs[name].tensor for name in outputs]
        fed = {slot.tensor: feeds[name] for name, slot in signature.inputs.items()}
        start = time.perf_counter()
        values = self._session.run(fetches, fed)
        paces = self._paces.get(signature.name)
        if paces is not None:
            paces.took(size_of(feeds), time.perf_counter() - start)
        return {name: np.asarray(v) for name, v in zip(outputs, values, strict=True)}

    def is_quick(self, signature: Signature, feeds: dict[str, Any]) -> bool:
        """Whether a run is not worth a thread of its own: see Note [Quick runs]."""
        paces = self._paces.get(signature.name)
        return paces is not None and paces.quick(size_of(feeds))

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
        if not slot.shape.is_compatible_with(TensorShape(array.shape)):
            raise invalid(
                f"The input {name!r} of the signature {signature.name!r} has the shape "
                f"{slot.shape}, but {array.shape} was sent."
            )
    return feeds


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
