"""Signatures of a SavedModel: which tensors are its inputs and outputs."""

from typing import Any

from twinflow.base import dtypes
from twinflow.export import signature_constants as names
from twinflow.formats.protos import DataType, SignatureDef, TensorInfo
from twinflow.graph.defaults import get_default_graph
from twinflow.ops.sparse.tensor import SparseTensor


def build_tensor_info(tensor: Any) -> Any:
    """The TensorInfo of a tensor or SparseTensor.

    Raises:
        RuntimeError: it is an eager one, which has no name.
    """
    if not isinstance(tensor, SparseTensor) and not getattr(tensor, "symbolic", False):
        tensor = getattr(tensor, "_as_graph_element", lambda: tensor)()
        if not getattr(tensor, "symbolic", False):
            raise RuntimeError(f"build_tensor_info needs a tensor of a graph: {tensor}")
    info = TensorInfo(
        dtype=dtypes.as_dtype(tensor.dtype).as_datatype_enum,
        tensor_shape=tensor.shape.as_proto(),
    )
    if isinstance(tensor, SparseTensor):
        info.coo_sparse.values_tensor_name = tensor.values.name
        info.coo_sparse.indices_tensor_name = tensor.indices.name
        info.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
    else:
        info.name = tensor.name
    return info


def get_tensor_from_tensor_info(
    tensor_info: Any, graph: Any = None, import_scope: Any = None
) -> Any:
    """The tensor or SparseTensor that a TensorInfo names.

    Args:
        tensor_info: the TensorInfo. graph: the Graph; the default one if None.
        import_scope: what comes before the names.
    Raises:
        KeyError: there is none of this name.
    """
    graph = graph or get_default_graph()

    def find(name):
        full = f"{import_scope}/{name}" if import_scope else name
        return graph.as_graph_element(full, allow_tensor=True, allow_operation=False)

    if tensor_info.WhichOneof("encoding") == "coo_sparse":
        sparse = tensor_info.coo_sparse
        return SparseTensor(
            find(sparse.indices_tensor_name), find(sparse.values_tensor_name),
            find(sparse.dense_shape_tensor_name),
        )  # fmt: skip
    return find(tensor_info.name)


def build_signature_def(
    inputs: Any = None, outputs: Any = None, method_name: str | None = None
) -> Any:
    """A SignatureDef of dicts from names to TensorInfos."""
    found = SignatureDef()
    for field, infos in (found.inputs, inputs), (found.outputs, outputs):
        for key, info in (infos or {}).items():
            field[key].CopyFrom(info)
    if method_name is not None:
        found.method_name = method_name
    return found


def predict_signature_def(inputs: Any, outputs: Any) -> Any:
    """The signature of a prediction: dicts from names to tensors.

    Raises:
        ValueError: one is empty.
    """
    for name, tensors in ("inputs", inputs), ("outputs", outputs):
        if not tensors:
            raise ValueError(f"Prediction {name} cannot be None or empty.")
    return build_signature_def(
        {key: build_tensor_info(t) for key, t in inputs.items()},
        {key: build_tensor_info(t) for key, t in outputs.items()},
        names.PREDICT_METHOD_NAME,
    )


def _examples(tensor, what):
    if tensor is None:
        raise ValueError(f"{what} examples cannot be None.")
    info = build_tensor_info(tensor)
    if info.dtype != DataType.Value("DT_STRING"):
        raise ValueError(f"{what} examples must be a string Tensor.")
    return info


def regression_signature_def(examples: Any, predictions: Any) -> Any:
    """The signature of a regression: serialised Examples to float numbers.

    Raises:
        ValueError: one is missing, or of another dtype.
    """
    inputs = {names.REGRESS_INPUTS: _examples(examples, "Regression")}
    if predictions is None:
        raise ValueError("Regression predictions cannot be None.")
    info = build_tensor_info(predictions)
    if info.dtype != DataType.Value("DT_FLOAT"):
        raise ValueError("Regression output must be a float Tensor.")
    outputs = {names.REGRESS_OUTPUTS: info}
    return build_signature_def(inputs, outputs, names.REGRESS_METHOD_NAME)


def classification_signature_def(examples: Any, classes: Any, scores: Any) -> Any:
    """The signature of a classification: serialised Examples to classes and scores.

    Raises:
        ValueError: something is missing, or of another dtype.
    """
    inputs = {names.CLASSIFY_INPUTS: _examples(examples, "Classification")}
    if classes is None and scores is None:
        raise ValueError("Classification classes and scores cannot both be None.")
    outputs = {}
    for key, tensor, kind in (
        (names.CLASSIFY_OUTPUT_CLASSES, classes, "string"),
        (names.CLASSIFY_OUTPUT_SCORES, scores, "float"),
    ):
        if tensor is not None:
            outputs[key] = info = build_tensor_info(tensor)
            if info.dtype != DataType.Value(f"DT_{kind.upper()}"):
                raise ValueError(f"Classification {key} must be a {kind} Tensor.")
    return build_signature_def(inputs, outputs, names.CLASSIFY_METHOD_NAME)


def is_valid_signature(signature_def: Any) -> Any:
    """Whether a signature is one of the three kinds, with what it needs."""
    if signature_def is None:
        return False
    inputs, outputs = set(signature_def.inputs), set(signature_def.outputs)
    kinds = {
        names.CLASSIFY_METHOD_NAME: inputs == {names.CLASSIFY_INPUTS}
        and bool(outputs)
        and outputs <= {names.CLASSIFY_OUTPUT_CLASSES, names.CLASSIFY_OUTPUT_SCORES},
        names.REGRESS_METHOD_NAME: inputs == {names.REGRESS_INPUTS}
        and outputs == {names.REGRESS_OUTPUTS},
        names.PREDICT_METHOD_NAME: bool(inputs) and bool(outputs),
    }
    return kinds.get(signature_def.method_name, False)
