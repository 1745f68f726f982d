"""The one importer of malt, which has AutoGraph's analyses and its lowering of jumps.

malt uses importlib.util without importing it; the import here, before the others, makes
up for that.
"""

import importlib.util  # noqa: F401

from malt.converters import (
    break_statements,
    call_trees,
    conditional_expressions,
    continue_statements,
    control_flow,
    functions,
    return_statements,
    variables,
)
from malt.core import converter
from malt.lang.directives import set_loop_options as LOOP_OPTIONS
from malt.pyct import (
    anno,
    ast_util,
    cfg,
    inspect_utils,
    naming,
    origin_info,
    parser,
    pretty_printer,
    qual_names,
    templates,
    transformer,
    transpiler,
)
from malt.pyct.common_transformers import anf
from malt.pyct.origin_info import LineLocation, Location, OriginInfo
from malt.pyct.static_analysis import (
    activity,
    annos,
    liveness,
    reaching_definitions,
    reaching_fndefs,
)

__all__ = (
    "LOOP_OPTIONS",
    "LineLocation",
    "Location",
    "OriginInfo",
    "activity",
    "anf",
    "anno",
    "annos",
    "ast_util",
    "break_statements",
    "call_trees",
    "cfg",
    "conditional_expressions",
    "continue_statements",
    "control_flow",
    "converter",
    "functions",
    "inspect_utils",
    "liveness",
    "naming",
    "origin_info",
    "parser",
    "pretty_printer",
    "qual_names",
    "reaching_definitions",
    "reaching_fndefs",
    "return_statements",
    "templates",
    "transformer",
    "transpiler",
    "variables",
)  # fmt: skip
