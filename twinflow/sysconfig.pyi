# Made by `make stubs` from the table of the index.
from twinflow.compat.build import get_compile_flags as get_compile_flags
from twinflow.compat.build import get_include as get_include
from twinflow.compat.build import get_lib as get_lib
from twinflow.compat.build import get_link_flags as get_link_flags

__all__ = [
"get_compile_flags", "get_include", "get_lib", "get_link_flags"
]
