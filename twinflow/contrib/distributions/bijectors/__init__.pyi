# Made by `make stubs` from the table of the index.
from twinflow.distributions.bijector import Bijector as Bijector
from twinflow.distributions.identity_bijector import Identity as Identity
from twinflow.contrib.distributions.bijectors.affine import Affine as Affine
from twinflow.contrib.distributions.bijectors.affine import AffineLinearOperator as AffineLinearOperator
from twinflow.contrib.distributions.bijectors.affine import AffineScalar as AffineScalar
from twinflow.contrib.distributions.bijectors.batch_normalization import BatchNormalization as BatchNormalization
from twinflow.contrib.distributions.bijectors.composing import Chain as Chain
from twinflow.contrib.distributions.bijectors.composing import ConditionalBijector as ConditionalBijector
from twinflow.contrib.distributions.bijectors.composing import Inline as Inline
from twinflow.contrib.distributions.bijectors.composing import Invert as Invert
from twinflow.contrib.distributions.bijectors.cumulative import Gumbel as Gumbel
from twinflow.contrib.distributions.bijectors.cumulative import Kumaraswamy as Kumaraswamy
from twinflow.contrib.distributions.bijectors.cumulative import SinhArcsinh as SinhArcsinh
from twinflow.contrib.distributions.bijectors.masked import MaskedAutoregressiveFlow as MaskedAutoregressiveFlow
from twinflow.contrib.distributions.bijectors.masked import masked_autoregressive_default_template as masked_autoregressive_default_template
from twinflow.contrib.distributions.bijectors.masked import masked_dense as masked_dense
from twinflow.contrib.distributions.bijectors.matrices import CholeskyOuterProduct as CholeskyOuterProduct
from twinflow.contrib.distributions.bijectors.matrices import FillTriangular as FillTriangular
from twinflow.contrib.distributions.bijectors.matrices import MatrixInverseTriL as MatrixInverseTriL
from twinflow.contrib.distributions.bijectors.matrices import ScaleTriL as ScaleTriL
from twinflow.contrib.distributions.bijectors.matrices import TransformDiagonal as TransformDiagonal
from twinflow.contrib.distributions.bijectors.power import Exp as Exp
from twinflow.contrib.distributions.bijectors.power import PowerTransform as PowerTransform
from twinflow.contrib.distributions.bijectors.power import Square as Square
from twinflow.contrib.distributions.bijectors.real_nvp import RealNVP as RealNVP
from twinflow.contrib.distributions.bijectors.real_nvp import real_nvp_default_template as real_nvp_default_template
from twinflow.contrib.distributions.bijectors.reshape import Reshape as Reshape
from twinflow.contrib.distributions.bijectors.squashing import AbsoluteValue as AbsoluteValue
from twinflow.contrib.distributions.bijectors.squashing import Sigmoid as Sigmoid
from twinflow.contrib.distributions.bijectors.squashing import Softplus as Softplus
from twinflow.contrib.distributions.bijectors.squashing import Softsign as Softsign
from twinflow.contrib.distributions.bijectors.vectors import Ordered as Ordered
from twinflow.contrib.distributions.bijectors.vectors import Permute as Permute
from twinflow.contrib.distributions.bijectors.vectors import SoftmaxCentered as SoftmaxCentered

__all__ = [
"Bijector", "Identity", "Affine", "AffineLinearOperator", "AffineScalar",
"BatchNormalization", "Chain", "ConditionalBijector", "Inline", "Invert", "Gumbel",
"Kumaraswamy", "SinhArcsinh", "MaskedAutoregressiveFlow",
"masked_autoregressive_default_template", "masked_dense", "CholeskyOuterProduct",
"FillTriangular", "MatrixInverseTriL", "ScaleTriL", "TransformDiagonal", "Exp",
"PowerTransform", "Square", "RealNVP", "real_nvp_default_template", "Reshape",
"AbsoluteValue", "Sigmoid", "Softplus", "Softsign", "Ordered", "Permute",
"SoftmaxCentered"
]
