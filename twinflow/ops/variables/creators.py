"""tf.variable_creator_scope: functions that have a say in how variables are made."""

import contextlib
import functools
import inspect

from twinflow.base.dispatch import local

_OPTIONS = (
    "initial_value", "trainable", "collections", "validate_shape", "caching_device",
    "name", "variable_def", "dtype", "expected_shape", "import_scope", "constraint",
    "use_resource", "synchronization", "aggregation",
)  # fmt: skip


class Created(type):
    """The class of variable classes: creators are asked before a variable is made."""

    def __call__(cls, *args, **kwargs):
        creators = getattr(local, "variable_creators", ())
        if not creators:
            return type.__call__(cls, *args, **kwargs)
        make = functools.partial(_made, cls)
        for creator in creators:
            make = functools.partial(creator, make)
        found = inspect.signature(cls.__init__).bind(None, *args, **kwargs)
        found.apply_defaults()
        given = dict(list(found.arguments.items())[1:])
        return make(**{**dict.fromkeys(_OPTIONS), **given})


def _made(cls, next_creator=None, **options):
    taken = inspect.signature(cls.__init__).parameters
    options = {k: v for k, v in options.items() if k in taken or v is not None}
    outer, local.variable_creators = local.variable_creators, ()
    try:
        return cls(**{k: v for k, v in options.items() if k in taken})
    finally:
        local.variable_creators = outer


@contextlib.contextmanager
def variable_creator_scope(variable_creator):
    """A block in which variables are made by `variable_creator`.

    Args:
        variable_creator: a function from (next_creator, **kwargs) to a variable, which
            calls `next_creator(**kwargs)` with the arguments of tf.Variable by name.
            That of the innermost block is asked first.
    Example:
        def renamed(next_creator, **kwargs):
            return next_creator(**{**kwargs, "name": "mine"})
        with tf.variable_creator_scope(renamed):
            v = tf.Variable(1.)
    """
    outer = getattr(local, "variable_creators", ())
    local.variable_creators = (*outer, variable_creator)
    try:
        yield
    finally:
        local.variable_creators = outer
