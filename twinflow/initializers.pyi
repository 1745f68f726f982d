# Made by `make stubs` from the table of the index.
from twinflow.ops.random.initializers_plain import Constant as constant
from twinflow.ops.random.initializers_plain import Ones as ones
from twinflow.ops.random.initializers_plain import Zeros as zeros
from twinflow.ops.random.initializers_plain import RandomNormal as random_normal
from twinflow.ops.random.initializers_plain import RandomUniform as random_uniform
from twinflow.ops.random.initializers_plain import TruncatedNormal as truncated_normal
from twinflow.ops.random.initializers import GlorotNormal as glorot_normal
from twinflow.ops.random.initializers import GlorotUniform as glorot_uniform
from twinflow.ops.random.initializers import he_normal as he_normal
from twinflow.ops.random.initializers import he_uniform as he_uniform
from twinflow.ops.random.initializers import lecun_normal as lecun_normal
from twinflow.ops.random.initializers import lecun_uniform as lecun_uniform
from twinflow.ops.random.initializers import Identity as identity
from twinflow.ops.random.initializers import Orthogonal as orthogonal
from twinflow.ops.random.initializers import VarianceScaling as variance_scaling
from twinflow.ops.random.initializers import UniformUnitScaling as uniform_unit_scaling
from twinflow.ops.variables.collections import global_variables_initializer as global_variables
from twinflow.ops.variables.collections import local_variables_initializer as local_variables
from twinflow.ops.variables.collections import variables_initializer as variables
from twinflow.ops.tables.initialized import tables_initializer as tables_initializer

__all__ = [
"constant", "ones", "zeros", "random_normal", "random_uniform", "truncated_normal",
"glorot_normal", "glorot_uniform", "he_normal", "he_uniform", "lecun_normal",
"lecun_uniform", "identity", "orthogonal", "variance_scaling", "uniform_unit_scaling",
"global_variables", "local_variables", "variables", "tables_initializer"
]
