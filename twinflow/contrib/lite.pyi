# Made by `make stubs` from the table of the index.
from typing import Any
def Interpreter(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TensorFlow Lite). Its files hold fused and quantized ops for its own interpreter: write ONNX with tf.onnx.export, or a SavedModel, which the converter of a TensorFlow takes.
    """
def OpHint(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TensorFlow Lite). Its files hold fused and quantized ops for its own interpreter: write ONNX with tf.onnx.export, or a SavedModel, which the converter of a TensorFlow takes.
    """
def TFLiteConverter(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TensorFlow Lite). Its files hold fused and quantized ops for its own interpreter: write ONNX with tf.onnx.export, or a SavedModel, which the converter of a TensorFlow takes.
    """
def TocoConverter(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TensorFlow Lite). Its files hold fused and quantized ops for its own interpreter: write ONNX with tf.onnx.export, or a SavedModel, which the converter of a TensorFlow takes.
    """
def build_toco_convert_protos(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TensorFlow Lite). Its files hold fused and quantized ops for its own interpreter: write ONNX with tf.onnx.export, or a SavedModel, which the converter of a TensorFlow takes.
    """
def convert_op_hints_to_stubs(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TensorFlow Lite). Its files hold fused and quantized ops for its own interpreter: write ONNX with tf.onnx.export, or a SavedModel, which the converter of a TensorFlow takes.
    """
def toco_convert(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TensorFlow Lite). Its files hold fused and quantized ops for its own interpreter: write ONNX with tf.onnx.export, or a SavedModel, which the converter of a TensorFlow takes.
    """
def toco_convert_protos(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (TensorFlow Lite). Its files hold fused and quantized ops for its own interpreter: write ONNX with tf.onnx.export, or a SavedModel, which the converter of a TensorFlow takes.
    """
from twinflow.contrib.lite_modes import ConverterMode as ConverterMode

__all__ = [
"Interpreter", "OpHint", "TFLiteConverter", "TocoConverter",
"build_toco_convert_protos", "convert_op_hints_to_stubs", "toco_convert",
"toco_convert_protos", "ConverterMode"
]
