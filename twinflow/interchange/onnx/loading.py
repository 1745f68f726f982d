"""tf.onnx.load: ONNX models as functions of tensors."""

import os
import re
from typing import Any

import numpy as np

from twinflow.base import progress, stores
from twinflow.base.damage import UnreadableFile, reported
from twinflow.base.tensor_spec import TensorSpec
from twinflow.base.trackable import Trackable
from twinflow.interchange.onnx.library import dtype_of, onnx, required
from twinflow.interchange.onnx.reader import Reader
from twinflow.interchange.onnx.reading.table import READERS
from twinflow.ops.core.constant import convert_to_tensor
from twinflow.ops.variables.resource import ResourceVariable

_NUMBERS = {  # inputs that have to be numbers, by their places
    "BatchNormalization": (), "Clip": (1, 2), "Dropout": (1, 2), "OneHot": (2,),
    "Pad": (1, 2, 3), "Range": (0, 1, 2), "Resize": (1, 2, 3), "Upsample": (1,),
}  # fmt: skip
_STATISTICS = {"BatchNormalization": (3, 4)}  # weights that no gradient trains


def load(path: Any, trainable: bool = True) -> "OnnxModel":
    """Read an ONNX model as something to call.

    The initializers with floating-point numbers become variables: in eager mode they
    have their values at once, in a graph after their initializers have run.

    Args:
        path: the file. trainable: whether the variables are to be trained.
    Returns:
        An OnnxModel.
    Raises:
        ImportError: onnx is not installed. OSError: there is no such file, or it is no
        model of ONNX. UnimplementedError: there is no counterpart of one of its nodes.
    Example:
        double = tf.function(lambda x: x * 2.)
        tf.onnx.export(double, "twice.onnx", [tf.TensorSpec([None], tf.float32)])
        model = tf.onnx.load("twice.onnx")
        model([3.])  # [6.]
    """
    required("tf.onnx.load")
    path = os.fspath(path)
    with progress.operation(f"reading {path}"), reported(path, UnreadableFile):
        with stores.opened(path) as file:
            data = b"".join(progress.blocks("bytes", file))
        model = onnx.load_model_from_string(data)
        if not stores.is_remote(path):  # else all of it is in the file
            onnx.external_data_helper.load_external_data_for_model(
                model, os.path.dirname(os.path.abspath(path))
            )
        onnx.checker.check_model(model)
        return OnnxModel(model, trainable)


class OnnxModel(Trackable):
    """A model of ONNX, made of ops: it trains, compiles and differentiates.

    Call it with a tensor for each input, in order or by name; it gives a tensor, or a
    list where the model has several outputs.

    Attributes:
        inputs: list of TensorSpecs. output_names: list of names.
        variables: those of the initializers. trainable_variables: those to be trained.
    """

    def __init__(self, proto: Any, trainable: bool) -> None:
        graph = proto.graph
        self._graph, self._opset = graph, _opset(proto)
        self._functions = {(f.domain, f.name): f for f in proto.functions}
        every = [n for f in (graph, *proto.functions) for n in _all_nodes(f)]
        Reader(READERS, self._opset, self._functions, {}).check(every)
        arrays = {t.name: onnx.numpy_helper.to_array(t) for t in graph.initializer}
        given = [i for i in graph.input if i.name not in arrays]
        self.inputs = [_spec(i) for i in given]
        self.output_names = [o.name for o in graph.output]
        self._values = dict(arrays)
        self.variables: list[Any] = []
        fixed, statistics = _places(graph, _NUMBERS), _places(graph, _STATISTICS)
        for name, array in progress.over("making variables", arrays.items()):
            if array.dtype.kind == "f" and name not in fixed:
                wanted = trainable and name not in statistics
                self._values[name] = variable = _variable(name, array, wanted)
                self.variables.append(variable)

    @property
    def trainable_variables(self) -> list[Any]:
        """The variables that are to be trained."""
        return [v for v in self.variables if v.trainable]

    def _children(self) -> list:
        return [(v.name.partition(":")[0], v) for v in self.variables]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        names = [s.name for s in self.inputs]
        given = dict(zip(names, args))
        unknown = [k for k in kwargs if k not in names or k in given]
        missing = [n for n in names if n not in given and n not in kwargs]
        if len(args) > len(names) or unknown or missing:
            raise TypeError(
                f"The model takes the inputs {names}, once each; got {len(args)} "
                f"positional ones and {sorted(kwargs)}."
            )
        given.update(kwargs)
        values = {
            s.name: convert_to_tensor(given[s.name], s.dtype) for s in self.inputs
        }
        for spec in self.inputs:
            _check_shape(spec, values[spec.name])
        weights = {
            k: v._as_tensor() if isinstance(v, ResourceVariable) else v
            for k, v in self._values.items()
        }
        reader = Reader(READERS, self._opset, self._functions, {**weights, **values})
        reader.run(self._graph.node)
        found = [convert_to_tensor(reader.find(n)) for n in self.output_names]
        return found[0] if len(found) == 1 else found


def _check_shape(spec: TensorSpec, t: Any) -> None:
    if not spec.shape.is_compatible_with(t.shape):
        raise ValueError(
            f"The input '{spec.name}' of the model has the shape {spec.shape}; got a "
            f"tensor of shape {t.shape}."
        )


def _opset(proto: Any) -> int:
    found = [o.version for o in proto.opset_import if o.domain in ("", "ai.onnx")]
    return found[0] if found else 1


def _spec(value: Any) -> TensorSpec:
    kind = value.type.tensor_type
    if not value.type.HasField("tensor_type"):
        raise ValueError(f"the input '{value.name}' is no tensor")
    shape = None
    if kind.HasField("shape"):
        shape = [
            d.dim_value if d.HasField("dim_value") else None for d in kind.shape.dim
        ]
    return TensorSpec(shape, dtype_of(kind.elem_type), value.name)


def _variable(name: str, array: Any, trainable: bool) -> ResourceVariable:
    plain = re.sub(r"[^A-Za-z0-9_./-]", "_", name)
    if not re.match(r"[A-Za-z0-9.]", plain):
        plain = f"v{plain}"
    return ResourceVariable(np.array(array), trainable=trainable, name=plain)


def _places(graph: Any, places: dict) -> set:
    """The names that nodes take at certain places."""
    found = set()
    for node in _all_nodes(graph):
        at = places.get(node.op_type, ())
        found.update(node.input[i] for i in at if i < len(node.input))
    return found


def _all_nodes(graph: Any) -> Any:
    for node in graph.node:
        yield node
        for a in node.attribute:
            if a.type == onnx.AttributeProto.GRAPH:
                yield from _all_nodes(a.g)
