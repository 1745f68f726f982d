# Made by `make stubs` from the table of the index.
from twinflow.contrib.gan.features.conditioning import condition_tensor as condition_tensor
from twinflow.contrib.gan.features.conditioning import condition_tensor_from_onehot as condition_tensor_from_onehot
from twinflow.contrib.gan.features.random_tensor_pool import tensor_pool as tensor_pool
from twinflow.contrib.gan.features.virtual_batch_normalization import VBN as VBN
from twinflow.contrib.gan.features.weight_clipping import clip_discriminator_weights as clip_discriminator_weights
from twinflow.contrib.gan.features.weight_clipping import clip_variables as clip_variables

__all__ = [
"condition_tensor", "condition_tensor_from_onehot", "tensor_pool", "VBN",
"clip_discriminator_weights", "clip_variables"
]
