"""tf.onnx.export: functions, graphs and Keras models as ONNX models."""

import os
from typing import Any

from twinflow.base import progress, unfinished
from twinflow.interchange.frozen import Frozen, frozen
from twinflow.interchange.onnx.block import tensor
from twinflow.interchange.onnx.checking import compared
from twinflow.interchange.onnx.library import (
    element_type,
    onnx,
    opset_of,
    required,
)
from twinflow.interchange.onnx.writer import Writer
from twinflow.interchange.onnx.writing.table import WRITERS

_MOST = (1 << 31) - 1  # bytes of a protocol buffer


def export(
    what: Any, path: Any, input_signature: Any = None, *, inputs: Any = None,
    outputs: Any = None, session: Any = None, opset: int | None = None,
    check: bool = False, check_inputs: Any = None,
) -> None:  # fmt: skip
    """Write a function, a graph or a Keras model as an ONNX model.

    Variables become initializers of their names. What has no size yet (None) stays
    open in the model. Assertions and what is printed on the way are left out.

    Args:
        what: a function (of `tf.function`, `tfe.defun`, a concrete or a plain one), a
            tf.Graph, a tf.Session (its graph, and the values of its variables), or a
            Keras model or layer.
        path: the file to write.
        input_signature: list of TensorSpecs, what a function takes; not for graphs.
        inputs, outputs: of a graph: tensors or their names, a list of them, or a dict
            from names in the model to tensors. By default `inputs` are the
            placeholders that the outputs need.
        session: where a graph's variables have their values; by default the default
            one.
        opset: the version of ONNX's ops, from 18 on; the newest that onnx has by
            default.
        check: whether to run the model with onnxruntime and compare what it gives with
            our own results.
        check_inputs: list of arrays for that; random numbers by default.
    Raises:
        ImportError: onnx, or for `check` onnxruntime, is not installed.
        UnimplementedError: ONNX has no counterpart of an op; the error names the op,
            the node and the line that made it.
        ValueError: the check found other results, or the arguments do not fit.
    Example:
        double = tf.function(lambda x: x * 2.)
        tf.onnx.export(double, "double.onnx", [tf.TensorSpec([None], tf.float32)])
        tf.onnx.load("double.onnx")([1., 2.])  # [2., 4.]
    """
    required("tf.onnx.export")
    version = opset_of(opset)
    with progress.operation(f"writing {os.fspath(path)}"):
        found = frozen(what, input_signature, inputs, outputs, session)
        data = _content(_model(found, version))
        if check or check_inputs is not None:
            compared(data, found, check_inputs)
        unfinished.write(os.fspath(path), data)


def _content(model: Any) -> bytes:
    if model.ByteSize() > _MOST:
        raise ValueError(
            f"The model takes {model.ByteSize()} bytes, and a file of ONNX holds at "
            f"most {_MOST}: export it in parts."
        )
    return model.SerializeToString()


def _model(found: Frozen, opset: int) -> Any:
    """The ModelProto."""
    writer = Writer(WRITERS, opset, found.cell_of)
    params = {t: writer.unique(name) for name, t in found.inputs.items()}
    ends = [(writer.unique(name), t) for name, t in found.outputs.items()]
    program = found.program()
    with writer.inside(program, params, found.given):
        writer.run(program)
        block = writer.block
        block.inputs = [(n, _type(t, n)) for t, n in params.items()]
        for name, t in ends:
            writer.ops_to(name, "Identity", writer.value(t))
        block.outputs = [(n, _type(t, n)) for n, t in ends]
    block.prune()
    used = block.reads()
    kept = [tensor(a, n) for n, a in writer.variables.items() if n in used]
    graph = block.graph(kept)
    graph.name = found.name or "model"
    opsets = [onnx.helper.make_opsetid("", opset)]
    return onnx.helper.make_model(
        graph, opset_imports=opsets, producer_name="twinflow",
        ir_version=onnx.helper.find_min_ir_version_for(opsets),
    )  # fmt: skip


def _type(t: Any, name: str) -> Any:
    """The TypeProto of an input or output, with what is known of its shape."""
    kind = onnx.helper.make_tensor_type_proto
    from_dtype = element_type(t.dtype)
    if t._shape is None:
        return kind(from_dtype, None)
    open_sizes = ["batch", *(f"{name}_size_{i}" for i in range(1, len(t._shape)))]
    pairs = zip(t._shape, open_sizes)
    return kind(from_dtype, [o if s is None else s for s, o in pairs])
