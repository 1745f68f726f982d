# Made by `make stubs` from the table of the index.
from typing import Any
from twinflow.base.text import as_bytes as as_bytes
def as_str(bytes_or_text: Any, encoding: str = ...) -> Any:
    r"""The value as str; see `as_bytes`.
    """
from twinflow.base.text import as_str_any as as_str_any
from twinflow.base.text import as_text as as_text
from twinflow.base.text import path_to_str as path_to_str
from twinflow.base.text import bytes_or_text_types as bytes_or_text_types
from twinflow.base.text import complex_types as complex_types
from twinflow.base.text import integral_types as integral_types
from twinflow.base.text import real_types as real_types
from twinflow.compat.forward import forward_compatible as forward_compatible
from twinflow.compat.forward import forward_compatibility_horizon as forward_compatibility_horizon

__all__ = [
"as_bytes", "as_str", "as_str_any", "as_text", "path_to_str", "bytes_or_text_types",
"complex_types", "integral_types", "real_types", "forward_compatible",
"forward_compatibility_horizon"
]
