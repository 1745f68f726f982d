# Made by `make stubs` from the table of the index.
from twinflow.contrib.opt.drop_stale import DropStaleGradientOptimizer as DropStaleGradientOptimizer
from twinflow.contrib.opt.external import ExternalOptimizerInterface as ExternalOptimizerInterface
from twinflow.contrib.opt.external import ScipyOptimizerInterface as ScipyOptimizerInterface
from twinflow.contrib.opt.model_average import ModelAverageCustomGetter as ModelAverageCustomGetter
from twinflow.contrib.opt.model_average import ModelAverageOptimizer as ModelAverageOptimizer
from twinflow.contrib.opt.nadam import LazyAdamOptimizer as LazyAdamOptimizer
from twinflow.contrib.opt.nadam import NadamOptimizer as NadamOptimizer
from twinflow.contrib.opt.weight_decay import AdamWOptimizer as AdamWOptimizer
from twinflow.contrib.opt.weight_decay import DecoupledWeightDecayExtension as DecoupledWeightDecayExtension
from twinflow.contrib.opt.weight_decay import MomentumWOptimizer as MomentumWOptimizer
from twinflow.contrib.opt.weight_decay import extend_with_decoupled_weight_decay as extend_with_decoupled_weight_decay

__all__ = [
"DropStaleGradientOptimizer", "ExternalOptimizerInterface", "ScipyOptimizerInterface",
"ModelAverageCustomGetter", "ModelAverageOptimizer", "LazyAdamOptimizer",
"NadamOptimizer", "AdamWOptimizer", "DecoupledWeightDecayExtension",
"MomentumWOptimizer", "extend_with_decoupled_weight_decay"
]
