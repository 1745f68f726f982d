"""tf.contrib.lite.TFLiteConverter: programs as models of TensorFlow Lite."""

from collections.abc import Sequence
from typing import Any

from google.protobuf import message, text_format

from twinflow.base import errors, files
from twinflow.base.advice import advised
from twinflow.contrib.lite import constants, toco
from twinflow.contrib.lite.modes import ConverterMode
from twinflow.execute.session import Session
from twinflow.export.constants import ASSETS_KEY
from twinflow.export.loading import load
from twinflow.formats import protos
from twinflow.graph.graph import Graph
from twinflow.graph.graph_def.import_def import import_graph_def
from twinflow.graph.graph_def.surgery import convert_variables_to_constants
from twinflow.keras.backend.defaults import set_learning_phase
from twinflow.keras.saving.whole_models import load_model

_SHAPES = dict[str, Sequence[int]]
_ATTRIBUTES: dict[str, Any] = {
    "inference_type": constants.FLOAT, "inference_input_type": None,
    "output_format": constants.TFLITE, "quantized_input_stats": {},
    "default_ranges_stats": None, "drop_control_dependency": True,
    "reorder_across_fake_quant": False, "change_concat_input_ranges": False,
    "allow_custom_ops": False, "post_training_quantize": False,
    "dump_graphviz_dir": None, "dump_graphviz_video": False,
    "converter_mode": ConverterMode.DEFAULT, "optimizations": (),
}  # fmt: skip


class TFLiteConverter:
    """Makes a model of TensorFlow Lite of a graph, a SavedModel or a Keras model.

    Args:
        graph_def: GraphDef without variables. input_tensors, output_tensors: lists of
            tensors, or None. input_arrays_with_shape: list of (name, shape), and
            output_arrays: list of names, where there are no tensors, as of a graph
            with ops that only TensorFlow Lite knows.
    Attributes:
        inference_type: constants.FLOAT or QUANTIZED_UINT8, of what is computed;
            inference_input_type: of what goes in, by default the same.
        output_format: constants.TFLITE, or GRAPHVIZ_DOT for a drawing.
        quantized_input_stats: {name of an input: (mean, standard deviation)}, for
            inputs of QUANTIZED_UINT8.
        default_ranges_stats: (min, max) for tensors without a range, or None.
        post_training_quantize: whether large weights are kept in 8 bits;
            `optimizations`, a list of tf.lite.Optimize, asks for the same.
        allow_custom_ops: whether ops that TensorFlow Lite has not become custom ones.
        drop_control_dependency, reorder_across_fake_quant, change_concat_input_ranges,
        dump_graphviz_dir, dump_graphviz_video, converter_mode: see
            build_toco_convert_protos.
    Raises:
        ValueError: there are neither tensors nor names.
    Example:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        y = tf.layers.dense(x, 2, tf.nn.relu)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            made = tf.contrib.lite.TFLiteConverter.from_session(sess, [x], [y])
        made.convert()[4:8]  # b"TFL3"
    """

    inference_type: int
    inference_input_type: int | None
    output_format: int
    quantized_input_stats: dict[str, Sequence[float]]
    default_ranges_stats: Sequence[float] | None
    drop_control_dependency: bool
    reorder_across_fake_quant: bool
    change_concat_input_ranges: bool
    allow_custom_ops: bool
    post_training_quantize: bool
    dump_graphviz_dir: str | None
    dump_graphviz_video: bool
    converter_mode: ConverterMode
    optimizations: Sequence

    def __init__(
        self, graph_def: Any, input_tensors: Sequence | None,
        output_tensors: Sequence | None,
        input_arrays_with_shape: Sequence | None = None,
        output_arrays: Sequence[str] | None = None,
    ) -> None:  # fmt: skip
        self._graph_def = graph_def
        self._input_tensors, self._output_tensors = input_tensors, output_tensors
        for name, value in _ATTRIBUTES.items():
            setattr(self, name, {} if value == {} else value)
        if not self._has_valid_tensors():
            if not input_arrays_with_shape or not output_arrays:
                raise ValueError(
                    "If input_tensors and output_tensors are None, both "
                    "input_arrays_with_shape and output_arrays must be defined."
                )
            self._input_arrays_with_shape = input_arrays_with_shape
            self._output_arrays = output_arrays

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and name not in _ATTRIBUTES:
            raise AttributeError(
                f"TFLiteConverter has no attribute {name!r}, so setting it would do "
                f"nothing: there are {', '.join(_ATTRIBUTES)}."
            )
        super().__setattr__(name, value)

    @classmethod
    def from_session(
        cls, sess: Session, input_tensors: Sequence, output_tensors: Sequence
    ) -> "TFLiteConverter":
        """A converter of what a session computes, with the values of its variables.

        Args:
            sess: the Session. input_tensors, output_tensors: lists of tensors.
        """
        graph_def = _frozen(sess, [*input_tensors, *output_tensors])
        return cls(graph_def, input_tensors, output_tensors)

    @classmethod
    def from_frozen_graph(
        cls, graph_def_file: str, input_arrays: Sequence[str],
        output_arrays: Sequence[str], input_shapes: _SHAPES | None = None,
    ) -> "TFLiteConverter":  # fmt: skip
        """A converter of a file with a GraphDef, binary or as text.

        Args:
            graph_def_file: the file. input_arrays, output_arrays: lists of names of
                nodes. input_shapes: {name: list of int}, where the graph says None.
        Raises:
            IOError: there is no such file, or no GraphDef in it.
            ValueError: the graph has variables; it has no tensor of a name.
        """
        graph_def = _read(graph_def_file)
        with Graph().as_default() as graph:
            try:
                import_graph_def(graph_def, name="")
            except errors.NotFoundError:
                return cls._of_names(graph_def, input_arrays, output_arrays,
                                     input_shapes)  # fmt: skip
        if not _is_frozen(graph):
            raise ValueError("Please freeze the graph using freeze_graph.py.")
        ins, outs = (_tensors(graph, names) for names in (input_arrays, output_arrays))
        _set_shapes(ins, input_shapes)
        return cls(graph_def, ins, outs)

    @classmethod
    def _of_names(
        cls, graph_def: Any, inputs: Sequence, outputs: Sequence, shapes: Any
    ) -> "TFLiteConverter":
        """One of a graph that has ops which only TensorFlow Lite knows."""
        if not shapes:
            raise ValueError("input_shapes must be defined for this model.")
        if set(inputs) != set(shapes):
            raise ValueError(
                "input_shapes must contain a value for each item in input_array."
            )
        pairs = [(name, shapes[name]) for name in inputs]
        return cls(graph_def, None, None, pairs, outputs)

    @classmethod
    def from_saved_model(
        cls, saved_model_dir: str, input_arrays: Sequence[str] | None = None,
        input_shapes: _SHAPES | None = None,
        output_arrays: Sequence[str] | None = None, tag_set: Any = None,
        signature_key: str | None = None,
    ) -> "TFLiteConverter":  # fmt: skip
        """A converter of a SavedModel.

        Args:
            saved_model_dir: the folder. input_arrays, output_arrays: lists of names of
                nodes, by default those of the signature. input_shapes: {name: list of
                int}. tag_set: set of str, {"serve"} by default. signature_key: the
                signature's name, "serving_default" by default.
        Raises:
            ValueError: there is no such signature, or the model has assets.
        """
        tags = list(tag_set or ("serve",))
        key = signature_key or "serving_default"
        with Session(graph=Graph()) as sess:
            meta = load(sess, tags, saved_model_dir)
            known = set(meta.signature_def)
            if key not in known:
                raise ValueError(
                    f"No '{key}' in the SavedModel's SignatureDefs. Possible values "
                    f"are '{','.join(sorted(known))}'."
                )
            if ASSETS_KEY in meta.collection_def:
                raise ValueError(
                    "SavedModels with assets/ directory are not supported."
                )
            signature = meta.signature_def[key]
            ins = _chosen(sess.graph, input_arrays, signature.inputs)
            outs = _chosen(sess.graph, output_arrays, signature.outputs)
            _set_shapes(ins, input_shapes)
            return cls.from_session(sess, ins, outs)

    @classmethod
    def from_keras_model_file(
        cls, model_file: str, input_arrays: Sequence[str] | None = None,
        input_shapes: _SHAPES | None = None,
        output_arrays: Sequence[str] | None = None,
    ) -> "TFLiteConverter":  # fmt: skip
        """A converter of a file with a Keras model; it is not in training.

        Args:
            model_file: the file, `.h5` or `.keras`. input_arrays, output_arrays: lists
                of names of nodes, by default those of the model. input_shapes: {name:
                list of int}.
        """
        with Graph().as_default() as graph, Session() as sess:
            set_learning_phase(0)
            model = load_model(model_file)
            ins = _tensors(graph, input_arrays) if input_arrays else list(model.inputs)
            outs = list(model.outputs)
            if output_arrays:
                outs = _tensors(graph, output_arrays)
            _set_shapes(ins, input_shapes)
            return cls.from_session(sess, ins, outs)

    def convert(self) -> bytes:
        """Make the model.

        Returns:
            bytes of a `.tflite` file, or of a drawing for Graphviz.
        Raises:
            ValueError: the shape of an input is not known behind the first axis (None
                there becomes 1), or a range or statistics are missing.
            UnimplementedError: TensorFlow Lite has no counterpart of an op; the error
                names the op, the node and the line that made it.
        """
        wanted: dict[str, Any] = {name: getattr(self, name) for name in _ATTRIBUTES}
        if wanted.pop("optimizations"):
            wanted["post_training_quantize"] = True
        wanted["quantized_input_stats"] = self._statistics()
        if self._has_valid_tensors():
            ins, outs = self._input_tensors, self._output_tensors
            shapes = [_shape_of(t) for t in ins or ()]
            flags = toco.build_toco_convert_protos(
                ins, outs, input_shapes=shapes, **wanted
            )
            return toco.converted(*flags, self._graph_def, toco.source_of(ins or ()))
        return self._convert_names(wanted)

    def _convert_names(self, wanted: dict) -> bytes:
        if self.converter_mode is not ConverterMode.DEFAULT:
            raise ValueError(
                "This model can only be converted with the default converter."
            )
        stats = wanted.pop("quantized_input_stats")
        model, flags = toco.build_toco_convert_protos([], [], **wanted)
        for i, (name, shape) in enumerate(self._input_arrays_with_shape):
            found = toco.add_input(model, name, shape)
            if stats:
                found.mean_value, found.std_value = stats[i]
        model.output_arrays.extend(self._output_arrays)
        return toco.converted(model, flags, self._graph_def)

    def _statistics(self) -> list | None:
        """Those of each input, in order."""
        given = self.quantized_input_stats
        if not given:
            return None
        names = self.get_input_arrays()
        missing = [name for name in names if name not in given]
        if missing:
            raise ValueError(
                "Quantization input stats are not available for input tensors "
                f"'{','.join(missing)}'."
            )
        return [given[name] for name in names]

    def get_input_arrays(self) -> list[str]:
        """The names of the inputs.

        Returns:
            list of str.
        """
        if self._has_valid_tensors():
            return [toco.array_name(t) for t in self._input_tensors or ()]
        return [name for name, _ in self._input_arrays_with_shape]

    def _has_valid_tensors(self) -> bool:
        return bool(self._input_tensors and self._output_tensors)


class TocoConverter:
    """TFLiteConverter by its older name: its methods give a TFLiteConverter.

    Example:
        x = tf.placeholder(tf.float32, [1, 3], name="x")
        made = tf.contrib.lite.TocoConverter.from_session(tf.Session(), [x], [x * 2.])
        made.get_input_arrays()  # ["x"]
    """

    from_session = TFLiteConverter.from_session
    from_frozen_graph = TFLiteConverter.from_frozen_graph
    from_saved_model = TFLiteConverter.from_saved_model
    from_keras_model_file = TFLiteConverter.from_keras_model_file


def _chosen(graph: Graph, names: Sequence | None, own: Any) -> list:
    """The tensors of names, by default of a signature, in order of their names."""
    if names:
        return _tensors(graph, sorted(names))
    given = sorted(info.name for info in own.values())
    return [graph.get_tensor_by_name(name) for name in given]


def _read(path: str) -> Any:
    """The GraphDef in a file."""
    if not files.Exists(path):
        raise advised(OSError, f"File '{path}' does not exist.")
    content = files.read_file_to_string(path, binary_mode=True)
    try:
        return protos.GraphDef.FromString(content)
    except message.DecodeError:
        pass
    try:
        return text_format.Parse(content.decode(), protos.GraphDef())
    except (text_format.ParseError, UnicodeDecodeError):
        raise OSError(f"Unable to parse input file '{path}'.") from None


def _is_frozen(graph: Graph) -> bool:
    kinds = (node.type for node in graph.get_operations())
    return not any(k.startswith("Var") or k.endswith("VariableOp") for k in kinds)


def _frozen(sess: Session, ends: Sequence) -> Any:
    names = sorted({toco.array_name(t) for t in ends})
    return convert_variables_to_constants(sess, sess.graph.as_graph_def(), names)


def _tensors(graph: Graph, names: Sequence[str]) -> list:
    """The first outputs of nodes by their names."""
    nodes = {n.name: n for n in graph.get_operations() if n.outputs}
    missing = [name for name in names if name not in nodes]
    if missing:
        raise ValueError(f"Invalid tensors '{','.join(missing)}' were found.")
    return [nodes[name].outputs[0] for name in names]


def _set_shapes(tensors: Sequence, shapes: _SHAPES | None) -> None:
    for t in tensors:
        shape = (shapes or {}).get(toco.array_name(t))
        if shape is not None:
            t.set_shape(shape)


def _shape_of(t: Any) -> list[int]:
    """The shape of an input, whose first axis is 1 if nothing says what it is."""
    name, shape = toco.array_name(t), t.get_shape()
    if shape.ndims is None:
        raise ValueError(f"Provide an input shape for input array '{name}'.")
    sizes = shape.as_list()
    if None in sizes[1:]:
        raise ValueError(
            f"None is only supported in the 1st dimension. Tensor '{name}' has invalid "
            f"shape '{sizes}'."
        )
    return [1 if n is None else n for n in sizes]
