"""tf.flags: absl's flags, read from the command line at their first use."""

import functools
import sys
import warnings

from absl import app as _app  # noqa: F401 - its flags come before the program's
from absl import flags as absl_flags
from absl import logging as _logging  # noqa: F401 - the same
from absl.flags import *  # noqa: F403 - the public names are absl's

absl_flags.disclaim_key_flags()

_OLDER_NAMES = {"flag_name": "name", "default_value": "default", "docstring": "help"}


class _Flags:
    """absl's FLAGS, which parses ``sys.argv`` when a flag is read before it was."""

    __slots__ = ("_flags",)

    def __init__(self, flags):
        object.__setattr__(self, "_flags", flags)

    def __getattr__(self, name):
        flags = self._flags
        if not flags.is_parsed() and name in flags:
            flags(sys.argv)
        return getattr(flags, name)

    def __setattr__(self, name, value):
        setattr(self._flags, name, value)

    def __delattr__(self, name):
        delattr(self._flags, name)

    def __dir__(self):
        return dir(self._flags)

    def _ipython_key_completions_(self):
        return list(self._flags)

    def __getitem__(self, name):
        return self._flags[name]

    def __setitem__(self, name, flag):
        self._flags[name] = flag

    def __contains__(self, name):
        return name in self._flags

    def __len__(self):
        return len(self._flags)

    def __iter__(self):
        return iter(self._flags)

    def __str__(self):
        return str(self._flags)

    def __call__(self, *args, **kwargs):
        return self._flags(*args, **kwargs)


def _with_older_names(define):
    """`define`, taking the keywords of TensorFlow's first flags as well."""

    @functools.wraps(define)
    def wrapped(*args, **kwargs):
        older = _OLDER_NAMES.keys() & kwargs.keys()
        if older:
            warnings.warn(
                f"The keywords {sorted(older)} of tf.flags are deprecated; use "
                f"{sorted(_OLDER_NAMES[k] for k in older)}.",
                DeprecationWarning,
                stacklevel=2,
            )
        kwargs = {_OLDER_NAMES.get(k, k): v for k, v in kwargs.items()}
        for name in (kwargs.get("name"), *args[:1], kwargs.get("short_name")):
            _take_from_absl(name)
        return define(*args, **kwargs)

    return wrapped


def _take_from_absl(name: object) -> None:
    """Free a name that only absl has defined: TensorFlow 1.12 loads none of these."""
    flags = absl_flags.FLAGS
    if isinstance(name, str) and name in flags:
        owner = flags.find_module_defining_flag(name)
        if owner in ("absl.logging", "absl.app"):
            delattr(flags, name)


FLAGS = _Flags(absl_flags.FLAGS)
globals().update(
    (name, _with_older_names(getattr(absl_flags, name)))
    for name in absl_flags.__all__
    if name.startswith("DEFINE_")
)
