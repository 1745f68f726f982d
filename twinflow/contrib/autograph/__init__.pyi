# Made by `make stubs` from the table of the index.
from twinflow.autograph.directives import set_element_type as set_element_type
from twinflow.autograph.directives import set_loop_options as set_loop_options
from twinflow.autograph.source import NotConverted as AutographParseError
from twinflow.contrib.autograph.api import ConversionOptions as ConversionOptions
from twinflow.contrib.autograph.api import RunMode as RunMode
from twinflow.contrib.autograph.api import convert as convert
from twinflow.contrib.autograph.api import converted_call as converted_call
from twinflow.contrib.autograph.api import do_not_convert as do_not_convert
from twinflow.contrib.autograph.api import to_code as to_code
from twinflow.contrib.autograph.api import to_graph as to_graph
from twinflow.contrib.autograph.element_lists import stack as stack
from twinflow.contrib.autograph.element_lists import tensor_list as tensor_list
from twinflow.contrib.autograph.errors import GraphConstructionError as GraphConstructionError
from twinflow.contrib.autograph.errors import TfRuntimeError as TfRuntimeError
from twinflow.contrib.autograph.errors import improved_errors as improved_errors
from twinflow.contrib.autograph import operators as operators
from twinflow.contrib.autograph import utilities as utils

__all__ = [
"set_element_type", "set_loop_options", "AutographParseError", "ConversionOptions",
"RunMode", "convert", "converted_call", "do_not_convert", "to_code", "to_graph",
"stack", "tensor_list", "GraphConstructionError", "TfRuntimeError", "improved_errors",
"operators", "utils"
]
