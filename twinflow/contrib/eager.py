"""tf.contrib.eager: eager execution as it was first published."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.graph.defaults: enable_eager_execution executing_eagerly
twinflow.graph.defaults: in_eager_mode=executing_eagerly
twinflow.ops.variable: Variable=ResourceVariable
twinflow.execute.function: defun
twinflow.autodiff.tape: GradientTape
twinflow.autodiff.custom_gradient: custom_gradient
twinflow.autodiff.functional: gradients_function value_and_gradients_function
twinflow.autodiff.functional: implicit_gradients implicit_value_and_gradients
twinflow.data.iterator: Iterator=EagerIterator
""",
)
