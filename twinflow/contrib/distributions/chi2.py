"""The chi-squared distribution."""

from operator import attrgetter

from twinflow.base import dtypes
from twinflow.base.operators import TensorValue
from twinflow.distributions.gamma import Gamma
from twinflow.graph.scopes import control_dependencies, name_scope
from twinflow.ops.core.constant import constant, convert_to_tensor
from twinflow.ops.core.elementwise import abs as absolute
from twinflow.ops.core.rounding import floor
from twinflow.ops.debugging.checks import assert_positive


class Chi2(Gamma):
    """The distribution of the sum of the squares of df standard normal numbers.

    Args:
        df: float[batch], the degrees of freedom, > 0.
        validate_args: whether to check parameters and values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    def __init__(
        self, df: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "Chi2",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[df]) as name:
            checks = [assert_positive(df)] if validate_args else []
            with control_dependencies(checks):
                self._df = convert_to_tensor(df, name="df")
            half = constant(0.5, dtype=self._df.dtype)
            super().__init__(0.5 * self._df, half, validate_args, allow_nan_stats, name)
        self._parameters = parameters

    @classmethod
    def _param_shapes(cls, sample_shape):
        return {"df": convert_to_tensor(sample_shape, dtype=dtypes.int32)}

    df = property(attrgetter("_df"), doc="The degrees of freedom, float[batch].")


class Chi2WithAbsDf(Chi2):
    """A Chi2 whose df is floor(|df|) of what is given."""

    def __init__(
        self, df: TensorValue, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "Chi2WithAbsDf",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[df]) as name:
            df = floor(absolute(df, name="abs_df"), name="floor_abs_df")
            super().__init__(df, validate_args, allow_nan_stats, name)
        self._parameters = parameters
