"""Passing on the arguments that TensorFlow's signatures spell out one by one."""

_NOT_PASSED = ("self", "__class__", "kwargs")


def given(arguments):
    """What `locals()` of an `__init__` holds, as keyword arguments."""
    found = {k: v for k, v in arguments.items() if k not in _NOT_PASSED}
    return found | arguments.get("kwargs", {})


def applied(cls, arguments):
    """The output of a new layer.

    Args:
        cls: the class. arguments: `locals()` of a function of tf.layers: `inputs`,
            settings of the layer, perhaps `training`, and perhaps `reuse`, which makes
            `name` the variable scope.
    """
    options = given(arguments)
    inputs = options.pop("inputs")
    call = {"training": options.pop("training")} if "training" in options else {}
    if "reuse" in options:
        options |= {"_reuse": options.pop("reuse"), "_scope": options["name"]}
    return cls(**options).apply(inputs, **call)
