"""tf.Variable as it was before TensorFlow 1.12: for graphs only."""

from twinflow.base import dispatch
from twinflow.ops.variables.creators import Created
from twinflow.ops.variables.kinds import Variable


class _ForGraphs(Created):
    """The class of a tf.Variable that does not work in eager mode."""

    def __call__(cls, *args, **kwargs):
        if dispatch.current_mode().variable_owner().eager:
            raise RuntimeError(
                "tf.Variable not supported when eager execution is enabled. Please use "
                "tf.contrib.eager.Variable instead"
            )
        return Variable(*args, **kwargs)

    def __instancecheck__(cls, value):
        return isinstance(value, Variable)


class GraphVariable(Variable, metaclass=_ForGraphs):
    """tf.Variable at TWINFLOW_TF_COMPAT=1.9: see tf.Variable.

    Raises:
        RuntimeError: eager execution is enabled.
    """
