"""What `twinflow run` says before an error that one of its options would avoid."""

import os
import re
import sys
import zipfile

from twinflow.base import errors, known_files
from twinflow.compat.python2 import mending, modules
from twinflow_terminal.running import Options

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
    texts = [None if chosen.py2 else _python_2(error)]
    texts.append(None if chosen.sample_data else _data(error))
    for text in filter(None, texts):
        print(f"twinflow: {text}", file=sys.stderr)


def _data(error):
    """The hint for a file of a well-known data set that is not there."""
    if not isinstance(error, OSError | errors.NotFoundError | zipfile.BadZipFile):
        return None
    if "twinflow" in str(error):
        return None  # says it already
    path = _first_path(str(error))
    tb, found = error.__traceback__, known_files.known(path)
    folder = "the folder that the program reads"
    if found is not None:
        folder = os.path.dirname(os.path.abspath(path))
    while tb is not None and found is None:
        values = list(tb.tb_frame.f_locals.values())
        texts = (v for v in values if isinstance(v, str) and len(v) < 1000)
        found = next(filter(None, map(known_files.known, texts)), None)
        tb = tb.tb_next
    if found is None:
        return None
    return known_files.to_get(found, folder)


def _first_path(text):
    """What may be a path in the text of an error."""
    words = re.split(r"[\s'\";]+", text)
    return next((word for word in words if known_files.known(word)), "")


def _python_2(error):
    if isinstance(error, SyntaxError):
        return _of_file(error)
    whole = f"{type(error).__name__}: {error}"
    gone = isinstance(error, ModuleNotFoundError) and error.name in modules.OLD_NAMES
    if gone or _PYTHON_2.match(whole):
        return (
            "the error below is what programs in Python 2 meet; if this is one, "
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
