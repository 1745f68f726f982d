"""Values that come from outside: placeholders and the parameters of regions."""

from twinflow.base import dispatch, dtypes
from twinflow.base.annotations import DTypeValue, ShapeValue
from twinflow.base.dispatch import apply
from twinflow.base.errors import invalid
from twinflow.base.op import InferError, bind_first, define
from twinflow.base.operators import TensorValue
from twinflow.base.shapes import TensorShape
from twinflow.base.tensor import Tensor
from twinflow.ops.core.infer import merge, sizes


@bind_first
def _unfed(xp, dtype, shape):
    raise invalid("You must feed a value for a placeholder tensor.")


def _not_known(node, value):
    """What is fed only the run knows."""


Placeholder, PlaceholderV2 = (
    define(
        kind,
        infer=lambda dtype, shape: shape,
        kernel=_unfed,
        static=_not_known,
        host=True,
    )
    for kind in ("Placeholder", "PlaceholderV2")
)
FakeParam = define(  # what a branch gives in place of what only the other one has
    "FakeParam",
    infer=lambda dtype, shape: sizes(shape),
    kernel=lambda xp: (
        lambda dtype, shape: xp.zeros([d or 0 for d in shape or ()], dtype.np)
    ),
)

Param = define(
    "TwinParam() -> (output: dtype); dtype=float32, shape=None",
    infer=lambda dtype, shape: shape,
    kernel=_unfed,
    static=_not_known,
)


def _fed_shape(x, shape):
    try:
        merge(x._shape, shape)
    except InferError as error:
        raise InferError(error.graph_message) from None
    return shape


PlaceholderWithDefault = define(
    "PlaceholderWithDefault",
    infer=_fed_shape,
    kernel=lambda xp: lambda x, shape: x,
    static=_not_known,
    grad=[lambda dy: dy],
)


def placeholder(
    dtype: DTypeValue, shape: ShapeValue | None = None, name: str | None = None
) -> Tensor:
    """A tensor that must be fed when the graph runs.

    Args:
        dtype: the DType. shape: the static shape; None = any.
    Raises:
        RuntimeError: eager execution is enabled.
    Example:
        x = tf.placeholder(tf.float32, [None, 3])
    """
    _graph_only("tf.placeholder()")
    try:
        kind = dtypes.as_dtype(dtype).base_dtype
    except TypeError:
        text = f"Expected DataType for argument 'dtype' not {dtype!r}."
        raise TypeError(text) from None
    attrs = {"dtype": kind, "shape": TensorShape(shape).tuple}
    return apply(Placeholder, (), attrs, name)


def placeholder_with_default(
    input: TensorValue, shape: ShapeValue | None, name: str | None = None
) -> Tensor:
    """A tensor that has the value `input` unless it is fed.

    Args:
        input: the value. shape: the static shape that feeds must fit.
    """
    attrs = {"shape": TensorShape(shape).tuple}
    return apply(PlaceholderWithDefault, (input,), attrs, name)


def _graph_only(what):
    if dispatch.current_mode().eager:
        raise RuntimeError(f"{what} is not compatible with eager execution.")
