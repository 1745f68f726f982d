# Made by `make stubs` from the table of the index.
from twinflow.contrib.losses.metric_learning.clusters import cluster_loss as cluster_loss
from twinflow.contrib.losses.metric_learning.metric_loss_ops import contrastive_loss as contrastive_loss
from twinflow.contrib.losses.metric_learning.metric_loss_ops import lifted_struct_loss as lifted_struct_loss
from twinflow.contrib.losses.metric_learning.metric_loss_ops import npairs_loss as npairs_loss
from twinflow.contrib.losses.metric_learning.metric_loss_ops import npairs_loss_multilabel as npairs_loss_multilabel
from twinflow.contrib.losses.metric_learning.metric_loss_ops import triplet_semihard_loss as triplet_semihard_loss

__all__ = [
"cluster_loss", "contrastive_loss", "lifted_struct_loss", "npairs_loss",
"npairs_loss_multilabel", "triplet_semihard_loss"
]
