"""tf.initializers: how variables start."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.initializers_plain: constant=Constant ones=Ones zeros=Zeros
twinflow.ops.initializers_plain: random_normal=RandomNormal random_uniform=RandomUniform
twinflow.ops.initializers_plain: truncated_normal=TruncatedNormal
twinflow.ops.initializers: glorot_normal=GlorotNormal glorot_uniform=GlorotUniform
twinflow.ops.initializers: he_normal he_uniform lecun_normal lecun_uniform
twinflow.ops.initializers: identity=Identity orthogonal=Orthogonal
twinflow.ops.initializers: variance_scaling=VarianceScaling
twinflow.ops.initializers: uniform_unit_scaling=UniformUnitScaling
twinflow.ops.collections: global_variables=global_variables_initializer
twinflow.ops.collections: local_variables=local_variables_initializer
twinflow.ops.collections: variables=variables_initializer
twinflow.ops.tables: tables_initializer
""",
)
