"""Names of TensorFlow 1.12 that twinflow refuses: they are there, and say why.

See base.unsupported for the groups, and the README for the table.
"""

from twinflow.base import errors
from twinflow.base.unsupported import group_of_symbol


def refusal(path):
    """A function that stands for a refused name, and says so when it is called.

    Args:
        path: the public name without `tf.`.
    Raises:
        AttributeError: the name is not among those that are refused.
    """
    group = group_of_symbol(path)
    if group is None or group.kind != "refused":
        raise AttributeError(f"twinflow has no tf.{path}")

    def refused(*args, **kwargs):
        raise errors.UnimplementedError(
            None, None, f"tf.{path} is not part of twinflow ({group.title}). "
            f"{group.reason}",
        )  # fmt: skip

    refused.__name__ = refused.__qualname__ = path.rpartition(".")[2]
    refused.__doc__ = f"Refused ({group.title}). {group.reason}"
    refused.refused = True
    for method in _METHODS:
        setattr(refused, method, refused)
    return refused


_METHODS = (  # by which programs make a converter
    "from_session", "from_frozen_graph", "from_saved_model", "from_keras_model_file",
    "from_keras_model", "from_concrete_functions",
)  # fmt: skip


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    path = name.replace("__", ".")
    return refusal(path)
