"""Predictions, classifications and regressions, whatever way they were asked for."""

from typing import Any

import numpy as np

from twinflow.base import dtypes, errors
from twinflow.serving.batches import Batches
from twinflow.serving.json_values import to_value
from twinflow.serving.runs import Runs
from twinflow.serving.servable import Signature, checked, invalid, size_of
from twinflow.serving.versions import Version

PREDICT = "tensorflow/serving/predict"
CLASSIFY = "tensorflow/serving/classify"
REGRESS = "tensorflow/serving/regress"
_WORDS = {CLASSIFY: "classification", REGRESS: "regression"}


class Inference:
    """Runs signatures, alone or joined with those of other requests."""

    def __init__(self, runs: Runs, batches: Batches | None) -> None:
        self._runs, self._batches = runs, batches

    async def predict(
        self, version: Version, signature: Signature, feeds: dict[str, Any],
        outputs: tuple[str, ...] = (),
    ) -> dict[str, Any]:  # fmt: skip
        """The outputs of a signature by name.

        Args:
            version: held by the caller. feeds: arrays by the names of inputs.
            outputs: the names of those wanted; all if there are none.
        Raises:
            InvalidArgumentError: the arrays or names do not fit.
            tf.errors.OpError: what the run raised.
        """
        wanted = self.accepted(signature, feeds, outputs)
        return await self._run(version, signature, feeds, wanted)

    def accepted(
        self, signature: Signature, feeds: dict[str, Any], outputs: tuple[str, ...] = ()
    ) -> tuple[str, ...]:
        """The names of the outputs of a prediction that can be made; see `predict`."""
        if signature.method not in (PREDICT, CLASSIFY, REGRESS):
            raise invalid(
                "Expected prediction signature method_name to be one of "
                f"{{{PREDICT}, {CLASSIFY}, {REGRESS}}}. Was: {signature.method}"
            )
        wanted = outputs or tuple(signature.outputs)
        for name in wanted:
            if name not in signature.outputs:
                known = ",".join(signature.outputs)
                raise invalid(
                    f"output tensor alias not found in signature: {name} Outputs "
                    f"expected to be in the set {{{known}}}."
                )
        checked(signature, feeds)
        return tuple(dict.fromkeys(wanted))

    def is_quick(
        self, version: Version, signature: Signature, feeds: dict[str, Any]
    ) -> bool:
        """Whether a run is best made at once: see Note [Quick runs]."""
        return self._batches is None and version.servable.is_quick(
            signature, size_of(feeds)
        )

    async def _run(self, version: Any, signature: Any, feeds: Any, wanted: Any) -> Any:
        if self._batches is not None:
            return await self._batches.run(version, signature, feeds, wanted)
        servable = version.servable
        if servable.is_quick(signature, size_of(feeds)):
            return servable.run(signature, feeds, wanted)
        return await self._runs.run(version, servable.run, signature, feeds, wanted)

    async def classify(
        self, version: Version, signature: Signature, examples: list[bytes]
    ) -> list[list[tuple[bytes, float]]]:
        """The (label, score) pairs of each example.

        Args:
            examples: serialized tf.Examples.
        Raises:
            InvalidArgumentError: the signature is for something else.
            FailedPreconditionError: what it gives is no classification.
        """
        feeds = _fed(signature, examples, CLASSIFY)
        wanted = tuple(n for n in ("classes", "scores") if n in signature.outputs)
        if not wanted:
            raise _failed(signature, "has neither the output 'classes' nor 'scores'")
        found = await self._run(version, signature, feeds, wanted)
        for name in wanted:
            shape = found[name].shape
            if len(shape) != 2 or shape[0] != len(examples):
                raise _failed(
                    signature, f"gives {name!r} of the shape {shape} for "
                    f"{len(examples)} examples, not [examples, classes]",
                )  # fmt: skip
        labels, scores = found.get("classes"), found.get("scores")
        if labels is None:
            labels = np.full(scores.shape, b"", object)
        if scores is None:
            scores = np.zeros(labels.shape, np.float32)
        if labels.shape != scores.shape or scores.dtype not in (np.float32, np.float64):
            raise _failed(signature, "gives other labels than scores, or no floats")
        rows = zip(labels.tolist(), to_value(scores, "scores"), strict=True)
        return [list(zip(a, b, strict=True)) for a, b in rows]

    async def regress(
        self, version: Version, signature: Signature, examples: list[bytes]
    ) -> list[float]:
        """The value of each example; raises as `classify` does."""
        feeds = _fed(signature, examples, REGRESS)
        if "outputs" not in signature.outputs:
            raise _failed(signature, "has no output 'outputs'")
        found = (await self._run(version, signature, feeds, ("outputs",)))["outputs"]
        count = len(examples)
        if found.shape not in ((count,), (count, 1)) or found.dtype.kind != "f":
            raise _failed(
                signature, f"gives {found.dtype} of the shape {found.shape} for "
                f"{count} examples, not a float each",
            )  # fmt: skip
        return to_value(found.ravel(), "outputs")


def _fed(signature: Signature, examples: list[bytes], method: str) -> dict[str, Any]:
    if signature.method != method:
        raise invalid(
            f"Expected {_WORDS[method]} signature method_name to be {method}. Was: "
            f"{signature.method}"
        )
    if list(signature.inputs) != ["inputs"]:
        raise _failed(signature, "must have one input, 'inputs'")
    if signature.inputs["inputs"].dtype is not dtypes.string:
        raise _failed(signature, "must take serialized tf.Examples")
    array = np.empty(len(examples), object)
    array[:] = examples
    return checked(signature, {"inputs": array})


def _failed(signature: Signature, text: str) -> errors.OpError:
    return errors.FailedPreconditionError(
        None, None, f"The signature {signature.name!r} {text}."
    )
