"""Vectors of independent Student's t numbers, scaled and shifted."""

from operator import attrgetter
from typing import Any

from twinflow.base.operators import TensorValue
from twinflow.contrib.distributions.bijectors.affine import Affine
from twinflow.contrib.distributions.scales import shapes_from_loc_and_scale
from twinflow.distributions.student_t import StudentT
from twinflow.distributions.transformed_distribution import TransformedDistribution
from twinflow.graph.scopes import name_scope
from twinflow.ops.core.creation import ones, zeros


class VectorStudentT(TransformedDistribution):
    """Vectors loc + scale @ x of independent Student's t numbers x.

    Args:
        df: float[...], the degrees of freedom, > 0. loc, scale_identity_multiplier,
            scale_diag, scale_tril, scale_perturb_factor, scale_perturb_diag: see
            tf.contrib.distributions.bijectors.Affine.
        validate_args: whether to check values.
        allow_nan_stats: whether statistics may be nan, or are errors.
        name: the scope of its ops.
    """

    def __init__(
        self, df: TensorValue, loc: Any = None, scale_identity_multiplier: Any = None,
        scale_diag: Any = None, scale_tril: Any = None,
        scale_perturb_factor: Any = None, scale_perturb_diag: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "VectorStudentT",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        parts = [
            scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_factor,
            scale_perturb_diag,
        ]  # fmt: skip
        with name_scope(name) as name, name_scope("init", values=[df, loc, *parts]):
            # One number stands for all; Affine gives the shape of the batch.
            affine = Affine(loc, *parts, validate_args=validate_args)
            t = StudentT(
                df=df, loc=zeros([], dtype=affine.dtype),
                scale=ones([], dtype=affine.dtype), validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
            )  # fmt: skip
            batch, event = shapes_from_loc_and_scale(affine.shift, affine.scale)
            batch = None if t.batch_shape.ndims else batch
            super().__init__(
                t, affine, batch_shape=batch, event_shape=event,
                validate_args=validate_args, name=name,
            )  # fmt: skip
        self._parameters = parameters

    df = property(attrgetter("distribution.df"), doc="The degrees of freedom.")
    loc = property(attrgetter("bijector.shift"), doc="The shift, or None.")
    scale = property(attrgetter("bijector.scale"), doc="The scale.")
