"""tensorflow.python.util.all_util: which names of a module are for others."""

import re
import sys

_hidden: dict = {}


def make_all(module_name, doc_string_modules=None):
    """The names that the docstrings of modules speak of, as `@@name`, and that exist.

    Args:
        module_name: whose names. doc_string_modules: whose docstrings; its own if None.
    """
    module = sys.modules[module_name]
    modules = [module] if doc_string_modules is None else doc_string_modules
    found = {
        name
        for m in modules
        for name in re.findall(r"@@([a-zA-Z0-9_]+)", m.__doc__ or "")
    }
    return sorted(name for name in found if hasattr(module, name))


def remove_undocumented(
    module_name, allowed_exception_list=None, doc_string_modules=None
):
    """Take the other names from a module, but for the allowed ones and private ones."""
    module = sys.modules[module_name]
    kept = {*make_all(module_name, doc_string_modules), *(allowed_exception_list or ())}
    for name in [n for n in dir(module) if n not in kept and n[0] != "_"]:
        _hidden[f"{module_name}.{name}"] = (module, getattr(module, name))
        delattr(module, name)


def reveal_undocumented(symbol_name, target_module=None):
    """Put a name back that `remove_undocumented` took away.

    Raises:
        LookupError: it did not.
    """
    if symbol_name not in _hidden:
        raise LookupError(f"Symbol {symbol_name} is not a hidden symbol")
    module, value = _hidden[symbol_name]
    setattr(target_module or module, symbol_name.rpartition(".")[2], value)
