"""What programs call toco by: protocol buffers that say what is wanted."""

import os
from collections.abc import Sequence
from typing import Any

from google.protobuf import message

from twinflow.base import errors, progress
from twinflow.contrib.lite import constants
from twinflow.contrib.lite.modes import ConverterMode
from twinflow.formats import protos, toco_protos
from twinflow.interchange.lite.exporting import Drawings, Wishes, export


def array_name(t: Any) -> str:
    """The name of a tensor as arrays of TensorFlow Lite have it: that of its node."""
    return t.name.partition(":")[0]


def build_toco_convert_protos(
    input_tensors: Sequence, output_tensors: Sequence,
    inference_type: int = constants.FLOAT, inference_input_type: int | None = None,
    input_format: int = constants.TENSORFLOW_GRAPHDEF,
    input_shapes: Sequence | None = None, output_format: int = constants.TFLITE,
    quantized_input_stats: Sequence | None = None,
    default_ranges_stats: Sequence | None = None, drop_control_dependency: bool = True,
    reorder_across_fake_quant: bool = False, allow_custom_ops: bool = False,
    change_concat_input_ranges: bool = False, post_training_quantize: bool = False,
    dump_graphviz_dir: str | None = None, dump_graphviz_video: bool = False,
    converter_mode: ConverterMode = ConverterMode.DEFAULT,
) -> tuple:  # fmt: skip
    """What a conversion shall be like, as protocol buffers.

    Args:
        input_tensors, output_tensors: lists of tensors.
        inference_type: constants.FLOAT or QUANTIZED_UINT8. inference_input_type: that
            of the inputs, by default the same.
        input_format, output_format: constants.TENSORFLOW_GRAPHDEF, TFLITE or
            GRAPHVIZ_DOT. input_shapes: a list of shapes, by default the inputs' own.
        quantized_input_stats: (mean, standard deviation) of each input.
        default_ranges_stats: (min, max) of tensors without a range.
        drop_control_dependency: whether control dependencies are left out.
        reorder_across_fake_quant: ranges may be where they usually are not; they are
            found there anyway.
        allow_custom_ops: whether unknown ops become custom ones.
        change_concat_input_ranges: whether what is concatenated gets one range.
        post_training_quantize: whether large weights are kept in 8 bits.
        dump_graphviz_dir: a folder for drawings of the graph, or None.
        dump_graphviz_video: whether it is drawn after each step.
        converter_mode: a ConverterMode.
    Returns:
        (ModelFlags, TocoFlags).
    Example:
        x = tf.placeholder(tf.float32, [1, 2], name="x")
        model, toco = tf.contrib.lite.build_toco_convert_protos([x], [x + 1.])
        model.input_arrays[0].name  # "x"
    """
    toco = toco_protos.TocoFlags(
        input_format=input_format, output_format=output_format,
        inference_type=inference_type,
        inference_input_type=inference_input_type or inference_type,
        drop_control_dependency=drop_control_dependency,
        reorder_across_fake_quant=reorder_across_fake_quant,
        allow_custom_ops=allow_custom_ops,
        post_training_quantize=post_training_quantize,
        dump_graphviz_dir=dump_graphviz_dir or "",
        dump_graphviz_include_video=dump_graphviz_video,
        allow_flex_ops=converter_mode is not ConverterMode.DEFAULT,
        force_flex_ops=converter_mode is ConverterMode.TOCO_FLEX_ALL,
    )  # fmt: skip
    if default_ranges_stats:
        toco.default_ranges_min, toco.default_ranges_max = default_ranges_stats
    model = toco_protos.ModelFlags(
        change_concat_input_ranges=change_concat_input_ranges,
        output_arrays=map(array_name, output_tensors),
    )
    for i, t in enumerate(input_tensors):
        shape = t.get_shape() if input_shapes is None else input_shapes[i]
        found = add_input(model, array_name(t), shape)
        if quantized_input_stats:
            found.mean_value, found.std_value = quantized_input_stats[i]
        elif toco.inference_input_type == constants.QUANTIZED_UINT8:
            raise ValueError(
                "Inputs of QUANTIZED_UINT8 need quantized_input_stats: (mean, standard "
                f"deviation) of '{array_name(t)}'."
            )
    return model, toco


def add_input(model: Any, name: str, shape: Any) -> Any:
    """One more of the inputs that ModelFlags name."""
    found = model.input_arrays.add(name=name)
    found.shape.dims.extend(map(int, shape))
    return found


def toco_convert_protos(
    model_flags_str: bytes, toco_flags_str: bytes, input_data_str: bytes
) -> bytes:
    """A GraphDef as a model of TensorFlow Lite, all of them in their serialized form.

    Args:
        model_flags_str: the bytes of ModelFlags. toco_flags_str: those of TocoFlags.
        input_data_str: those of a GraphDef without variables.
    Returns:
        The bytes of the model.
    Raises:
        RuntimeError: the bytes are not what they should be.
        UnimplementedError: see TFLiteConverter.convert.
    """
    try:
        model = toco_protos.ModelFlags.FromString(model_flags_str)
        toco = toco_protos.TocoFlags.FromString(toco_flags_str)
        graph_def = protos.GraphDef.FromString(input_data_str)
    except message.DecodeError as error:
        raise RuntimeError(f"TOCO failed see console for info.\n{error}\n") from None
    return converted(model, toco, graph_def)


def toco_convert(
    input_data: Any, input_tensors: Sequence, output_tensors: Sequence, *args: Any,
    **kwargs: Any,
) -> bytes:  # fmt: skip
    """A GraphDef without variables as a model of TensorFlow Lite.

    Args:
        input_data: the GraphDef. input_tensors, output_tensors: lists of tensors.
        *args, **kwargs: see build_toco_convert_protos.
    Returns:
        The bytes of the model.
    Raises:
        UnimplementedError: see TFLiteConverter.convert.
    Example:
        x = tf.placeholder(tf.float32, [1, 2], name="x")
        y = tf.nn.relu(x, name="y")
        model = tf.contrib.lite.toco_convert(y.graph.as_graph_def(), [x], [y])
        model[4:8]  # b"TFL3"
    """
    flags = build_toco_convert_protos(input_tensors, output_tensors, *args, **kwargs)
    return converted(*flags, input_data, source_of(input_tensors))


def source_of(tensors: Sequence) -> Any:
    """The graph in which the user made tensors, or None."""
    return getattr(tensors[0], "graph", None) if tensors else None


@progress.operation("writing a model of TensorFlow Lite")
def converted(model: Any, toco: Any, graph_def: Any, source: Any = None) -> bytes:
    """The bytes of what ModelFlags and TocoFlags ask for."""
    if toco.allow_flex_ops:
        raise errors.UnimplementedError(
            None, None, "The modes TOCO_FLEX and TOCO_FLEX_ALL need a TensorFlow "
            "within the interpreter: leave converter_mode at DEFAULT, and set "
            "allow_custom_ops for ops that TensorFlow Lite has not.",
        )  # fmt: skip
    if not toco.drop_control_dependency:
        _refuse_controls(graph_def)
    arrays = model.input_arrays
    whole = constants.QUANTIZED_UINT8
    ranges = toco.default_ranges_min, toco.default_ranges_max
    quantized_inputs = toco.inference_input_type == whole
    stats = [(a.mean_value, a.std_value) if a.std_value else None for a in arrays]
    wishes = Wishes(
        is_quantized=toco.inference_type == whole, quantized_inputs=quantized_inputs,
        statistics=stats,
        ranges=ranges if ranges != (0, 0) else None,
        one_range=model.change_concat_input_ranges,
        small_weights=toco.post_training_quantize, custom=toco.allow_custom_ops,
    )  # fmt: skip
    drawings = Drawings()
    inputs = [(a.name, tuple(a.shape.dims)) for a in arrays]
    data = export(
        graph_def, inputs, list(model.output_arrays), wishes, source, drawings
    )
    if toco.dump_graphviz_dir:
        _dump(toco.dump_graphviz_dir, drawings)
    return drawings.last if toco.output_format == constants.GRAPHVIZ_DOT else data


def _refuse_controls(graph_def: Any) -> None:
    for node in graph_def.node:
        for name in node.input:
            if name.startswith("^"):
                raise ValueError(
                    f"'{node.name}' waits for '{name[1:]}', and TensorFlow Lite has no "
                    "control dependencies: leave drop_control_dependency True."
                )


def _dump(folder: str, drawings: Drawings) -> None:
    for name, text in zip(("AT_IMPORT", "AFTER_TRANSFORMATIONS"), drawings):
        with open(os.path.join(folder, f"toco_{name}.dot"), "wb") as file:
            file.write(text)
