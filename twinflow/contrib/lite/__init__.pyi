# Made by `make stubs` from the table of the index.
from twinflow.contrib.lite import constants as constants
from twinflow.contrib.lite.converter import TFLiteConverter as TFLiteConverter
from twinflow.contrib.lite.converter import TocoConverter as TocoConverter
from twinflow.contrib.lite.hints import OpHint as OpHint
from twinflow.contrib.lite.hints import convert_op_hints_to_stubs as convert_op_hints_to_stubs
from twinflow.contrib.lite.interpreter import Interpreter as Interpreter
from twinflow.contrib.lite.modes import ConverterMode as ConverterMode
from twinflow.contrib.lite.modes import Optimize as Optimize
from twinflow.contrib.lite.toco import build_toco_convert_protos as build_toco_convert_protos
from twinflow.contrib.lite.toco import toco_convert as toco_convert
from twinflow.contrib.lite.toco import toco_convert_protos as toco_convert_protos

__all__ = [
"constants", "TFLiteConverter", "TocoConverter", "OpHint", "convert_op_hints_to_stubs",
"Interpreter", "ConverterMode", "Optimize", "build_toco_convert_protos", "toco_convert",
"toco_convert_protos"
]
