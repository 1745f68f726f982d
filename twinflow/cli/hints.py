"""What `twinflow run` says before an error that one of its options would avoid."""

import re
import sys

from twinflow.cli.options import Options
from twinflow.compat.python2 import mending, modules

_NAMES = (
    "apply|basestring|buffer|cmp|coerce|execfile|file|intern|long|raw_input|reduce|"
    "reload|StandardError|unichr|unicode|xrange"
)
_METHODS = (
    "iteritems|iterkeys|itervalues|viewitems|viewkeys|viewvalues|has_key|next|message|"
    "func_name|func_code|func_defaults|im_func|im_self|im_class"
)
_LISTS = "map|filter|zip|range|dict_keys|dict_values|dict_items"
_PYTHON_2 = re.compile("|".join([
    rf"NameError: name '({_NAMES})' is not defined",
    rf"AttributeError: .* object has no attribute '({_METHODS})'",
    r"AttributeError: 'str' object has no attribute 'decode'",
    r"AttributeError: module '(string|sys|itertools|urllib|os|types)' has no attribute",
    rf"TypeError: '({_LISTS})' object (is not subscriptable|does not support item)",
    rf"TypeError: object of type '({_LISTS})' has no len",
    rf"TypeError: unsupported operand type.*: .*'({_LISTS})'",
    rf"AttributeError: '({_LISTS})' object has no attribute '(sort|append|index)'",
    r"TypeError: .*sort.*(unexpected keyword argument|invalid keyword.*) ?'?cmp",
    r"TypeError: 'cmp' is an invalid keyword argument",
    r"TypeError: (sort\(\) takes no positional|sorted expected 1) argument",
    r"TypeError: (slice indices must be integers|'float' object cannot be interp)",
]))  # fmt: skip


def say(error: BaseException, chosen: Options) -> None:
    """Print the hint for an uncaught error, if there is one."""
    text = None if chosen.py2 else _python_2(error)
    if text:
        print(f"twinflow: {text}", file=sys.stderr)


def _python_2(error):
    if isinstance(error, SyntaxError):
        return _of_file(error)
    whole = f"{type(error).__name__}: {error}"
    gone = isinstance(error, ModuleNotFoundError) and error.name in modules.OLD_NAMES
    if gone or _PYTHON_2.match(whole):
        return (
            "the error below is one of a program in Python 2; if this is one, "
            "`twinflow run --py2` runs it."
        )
    return None


def _of_file(error):
    """The hint for a module that only Python 2 can read."""
    try:
        with open(error.filename, "rb") as file:
            old = mending.is_old(file.read())
    except (OSError, TypeError):
        return None
    if not old:
        return None
    return f"{error.filename} is written in Python 2: `twinflow run --py2` reads it."
