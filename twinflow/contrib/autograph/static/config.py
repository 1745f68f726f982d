"""What converted code imports, and what is never converted: core.config."""

COMPILED_IMPORT_STATEMENTS = (
    "from __future__ import print_function",
    "import tensorflow as tf",
)
PYTHON_LITERALS = {"None": None, "False": False, "True": True, "float": float}
DEFAULT_UNCOMPILED_MODULES = {("tensorflow",), (__name__.partition(".")[0],)}
NO_SIDE_EFFECT_CONSTRUCTORS = {"tensorflow"}
