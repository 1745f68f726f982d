"""tf.Variable as it was before TensorFlow 1.12: for graphs only."""

from twinflow.base import dispatch
from twinflow.ops.variables.creators import Created
from twinflow.ops.variables.resource import ResourceVariable


class _ForGraphs(Created):
    """The class of a tf.Variable that makes tfe.Variables, but not in eager mode."""

    def __call__(cls, *args, **kwargs):
        if dispatch.current_mode().variable_owner().eager:
            raise RuntimeError(
                "tf.Variable not supported when eager execution is enabled. Please use "
                "tf.contrib.eager.Variable instead"
            )
        return ResourceVariable(*args, **kwargs)

    def __instancecheck__(cls, value):
        return isinstance(value, ResourceVariable)


class GraphVariable(ResourceVariable, metaclass=_ForGraphs):
    """tf.Variable at TWINFLOW_TF_COMPAT=1.9: see tfe.Variable, which it makes.

    Raises:
        RuntimeError: eager execution is enabled.
    """
