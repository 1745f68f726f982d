"""tf.stablehlo: programs as artifacts of jax.export, and artifacts as ops."""

import importlib.util
import os
from collections.abc import Sequence
from typing import Any

from twinflow.base import errors, files, progress, unfinished
from twinflow.base.damage import UnreadableFile, reported
from twinflow.base.tensor import Tensor
from twinflow.base.tensor_spec import TensorSpec
from twinflow.interchange.flat import Flat, flat
from twinflow.interchange.jax_functions import FromJax
from twinflow.interchange.to_jax import names_of
from twinflow.lower import artifacts
from twinflow.ops.core.constant import convert_to_tensor


def export(
    what: Any, path: Any, input_signature: Any = None, *, inputs: Any = None,
    outputs: Any = None, session: Any = None, variables: str = "frozen",
    platforms: Sequence[str] | None = None, vjp_order: int = 1,
) -> dict[Any, Any]:  # fmt: skip
    """Write a function, a graph or a Keras model as StableHLO.

    The file is an artifact of `jax.export`: `jax.export.deserialize(data).call(x)` runs
    it without twinflow. What has no size yet (None) stays open. Guards are left out: an
    index out of range gives what XLA makes of it. 64 bits in what goes in or out need
    `jax_enable_x64` there.

    Args:
        what: a function (of `tf.function`, `tfe.defun`, or a plain one), a tf.Graph, a
            tf.Session (its graph, and the values of its variables), or a Keras model or
            layer.
        path: the file to write.
        input_signature: list of TensorSpecs, what a function takes; not for graphs.
        inputs, outputs: of a graph: tensors or their names, a list or a dict of them;
            `inputs` are by default the placeholders that the outputs need.
        session: where a graph's variables have their values; the default one.
        variables: "frozen": their values are in the file; "inputs": the artifact takes
            a dict of them, {name: array}, before its other arguments.
        platforms: those of jax that it is to run on; by default as many of cpu, cuda
            and tpu as have all that it needs.
        vjp_order: how often jax can differentiate it.
    Returns:
        {name: array}, what it takes as variables; empty where they are frozen.
    Raises:
        ImportError: flatbuffers is not installed. UnimplementedError: a step can only
            run in this process, or a size that is open has to be known; with the line.
    Example:
        double = tf.function(lambda x: x * 2.)
        spec = tf.TensorSpec([None], tf.float32)
        tf.stablehlo.export(double, "double.stablehlo", [spec])
        tf.stablehlo.load("double.stablehlo")([1., 2.])  # [2., 4.]
    """
    _required("tf.stablehlo.export")
    if variables not in ("frozen", "inputs"):
        raise ValueError(f"variables={variables!r}: expected 'frozen' or 'inputs'.")
    with progress.operation(f"writing {os.fspath(path)}"):
        found = flat(what, input_signature, inputs, outputs, session)
        names = names_of(found.pure.cells) if variables == "inputs" else []
        values = dict(zip(names, found.pure.states())) if names else {}
        data = _data(found, list(values), platforms, vjp_order)
        unfinished.write(os.fspath(path), data)
    return values


def _data(found: Flat, names: list, platforms: Any, vjp_order: int) -> bytes:
    """The bytes of an artifact."""
    made, states = found.pure, found.pure.states()

    def frozen(*arrays: Any) -> Any:
        return found.packed(made(arrays, states))

    def taking(values: dict, *arrays: Any) -> Any:
        return found.packed(made(arrays, [values[name] for name in names]))

    frozen.__name__ = taking.__name__ = found.name
    given = [(dict(zip(names, states, strict=True)))] if names else []
    try:
        return artifacts.exported(
            taking if names else frozen, given, found.specs, platforms, vjp_order
        )
    except errors.OpError:
        raise
    except Exception as error:
        raise errors.UnimplementedError(
            None, None,
            f"jax cannot export {found.name!r} for {[s for s, _ in found.specs]}: "
            f"{type(error).__name__}: {error}\nWhere a size that is None has to be a "
            "number, give an input_signature with numbers.",
        ) from error  # fmt: skip


def _required(what: str) -> None:
    if importlib.util.find_spec("flatbuffers") is None:
        raise ImportError(
            f"`{what}` requires flatbuffers: python -m pip install flatbuffers"
        )


def load(path: Any) -> "StableHLO":
    """Read an artifact of `jax.export` as a function of tensors.

    It is an op, eagerly, in graphs and compiled; gradients go through it as often as
    it was exported for (`vjp_order`).

    Args:
        path: the file.
    Returns:
        A StableHLO.
    Raises:
        ImportError: flatbuffers is not installed. OSError, ValueError: there is no such
            file, it is no artifact, is for other platforms, or calls what is no part of
            XLA.
    Example:
        double = tf.function(lambda x: x * 2.)
        spec = tf.TensorSpec([None], tf.float32)
        tf.stablehlo.export(double, "twice.stablehlo", [spec])
        model = tf.stablehlo.load("twice.stablehlo")
        model([3.])  # [6.]
    """
    _required("tf.stablehlo.load")
    path = os.fspath(path)
    data = files.read_file_to_string(path, binary_mode=True)
    with reported(path, UnreadableFile):
        found = artifacts.Artifact(data)
    if not found.runs_here():
        raise ValueError(
            f"{path} is for {', '.join(found.platforms)}, and this machine has none of "
            "them: export it with platforms=['cpu', ...]."
        )
    return StableHLO(found)


class StableHLO:
    """An artifact of jax.export as a function of tensors.

    Attributes:
        name: of the function. inputs: list of TensorSpecs, of the arguments one by one.
        platforms: those of jax that it runs on. differentiable: whether gradients go
            through it.
    """

    def __init__(self, artifact: Any) -> None:
        self._artifact = artifact
        self.name, self.platforms = artifact.name, artifact.platforms
        self.differentiable = artifact.has_vjp
        self.inputs = [TensorSpec(shape, kind) for shape, kind in artifact.inputs()]
        self._called = FromJax(artifact.call, artifact.name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tree = self._artifact.structure()
        try:
            leaves = tree.flatten_up_to((args, kwargs))
        except ValueError:
            got = artifacts.flatten((args, kwargs))[1]
            raise TypeError(f"{self.name!r} takes {tree}, got {got}.") from None
        pairs = zip(leaves, self.inputs, strict=True)
        typed = [x if isinstance(x, Tensor) else _typed(x, s) for x, s in pairs]
        args, kwargs = artifacts.unflatten(tree, typed)
        return self._called(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<tf.stablehlo.StableHLO {self.name} of {self.inputs}>"


def _typed(value: Any, spec: TensorSpec) -> Any:
    return convert_to_tensor(value, spec.dtype)
