"""What scripts that were moved to `tensorflow.compat.v1` say of version 2.

They are names of 1.13 to 1.15. Most switch off what is not here in the first place.
"""

from twinflow.base import dispatch
from twinflow.graph.defaults import enable_eager_execution


def disable_v2_behavior() -> None:
    """Nothing: this is version 1, whose graphs are the default."""


disable_control_flow_v2 = disable_v2_tensorshape = disable_v2_behavior
disable_resource_variables = disable_tensor_equality = disable_v2_behavior


def enable_v2_behavior() -> None:
    """Run ops at once, as version 2 does; shapes and variables stay those of 1.12.

    Raises:
        ValueError: the default graph has nodes already.
    """
    enable_eager_execution()


def disable_eager_execution() -> None:
    """Nothing where graphs are the default, as they are unless somebody said otherwise.

    Raises:
        ValueError: eager execution was enabled before.
    """
    if dispatch.default_mode().eager:
        raise ValueError(
            "tf.disable_eager_execution was called after tf.enable_eager_execution. "
            "Leave both out for graphs: they are the default here."
        )
