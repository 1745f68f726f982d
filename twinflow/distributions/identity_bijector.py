"""The bijector that leaves everything as it is."""

from twinflow.distributions.bijector import Bijector
from twinflow.ops.core.constant import constant


class Identity(Bijector):
    """y = x.

    Args:
        validate_args: accepted; there is nothing to check. name: the scope of its ops.
    """

    def __init__(self, validate_args: bool = False, name: str = "identity") -> None:
        super().__init__(
            forward_min_event_ndims=0, is_constant_jacobian=True,
            validate_args=validate_args, name=name,
        )  # fmt: skip

    def _forward(self, x):
        return x

    def _inverse(self, y):
        return y

    def _inverse_log_det_jacobian(self, y):
        return constant(0.0, dtype=y.dtype)

    def _forward_log_det_jacobian(self, x):
        return constant(0.0, dtype=x.dtype)
