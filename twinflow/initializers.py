"""tf.initializers: how variables start."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.ops.random.initializers_plain: constant=Constant ones=Ones zeros=Zeros
twinflow.ops.random.initializers_plain: random_normal=RandomNormal
twinflow.ops.random.initializers_plain: random_uniform=RandomUniform
twinflow.ops.random.initializers_plain: truncated_normal=TruncatedNormal
twinflow.ops.random.initializers: glorot_normal=GlorotNormal
twinflow.ops.random.initializers: glorot_uniform=GlorotUniform
twinflow.ops.random.initializers: he_normal he_uniform lecun_normal lecun_uniform
twinflow.ops.random.initializers: identity=Identity orthogonal=Orthogonal
twinflow.ops.random.initializers: variance_scaling=VarianceScaling
twinflow.ops.random.initializers: uniform_unit_scaling=UniformUnitScaling
twinflow.ops.variables.collections: global_variables=global_variables_initializer
twinflow.ops.variables.collections: local_variables=local_variables_initializer
twinflow.ops.variables.collections: variables=variables_initializer
twinflow.ops.tables.initialized: tables_initializer
""",
)
