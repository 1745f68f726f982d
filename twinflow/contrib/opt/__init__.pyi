# Made by `make stubs` from the table of the index.
from twinflow.contrib.opt.adamax import AdaMaxOptimizer as AdaMaxOptimizer
from twinflow.contrib.opt.agn import AGNCustomGetter as AGNCustomGetter
from twinflow.contrib.opt.agn import AGNOptimizer as AGNOptimizer
from twinflow.contrib.opt.elastic_average import ElasticAverageCustomGetter as ElasticAverageCustomGetter
from twinflow.contrib.opt.elastic_average import ElasticAverageOptimizer as ElasticAverageOptimizer
from twinflow.contrib.opt.drop_stale import DropStaleGradientOptimizer as DropStaleGradientOptimizer
from twinflow.contrib.opt.external import ExternalOptimizerInterface as ExternalOptimizerInterface
from twinflow.contrib.opt.external import ScipyOptimizerInterface as ScipyOptimizerInterface
from twinflow.contrib.opt.ggt import GGTOptimizer as GGTOptimizer
from twinflow.contrib.opt.lars import LARSOptimizer as LARSOptimizer
from twinflow.contrib.opt.model_average import ModelAverageCustomGetter as ModelAverageCustomGetter
from twinflow.contrib.opt.model_average import ModelAverageOptimizer as ModelAverageOptimizer
from twinflow.contrib.opt.moving_average import MovingAverageOptimizer as MovingAverageOptimizer
from twinflow.contrib.opt.multitask import MultitaskOptimizerWrapper as MultitaskOptimizerWrapper
from twinflow.contrib.opt.multitask import clip_gradients_by_global_norm as clip_gradients_by_global_norm
from twinflow.contrib.opt.nadam import LazyAdamOptimizer as LazyAdamOptimizer
from twinflow.contrib.opt.nadam import NadamOptimizer as NadamOptimizer
from twinflow.contrib.opt.reg_adagrad import RegAdagradOptimizer as RegAdagradOptimizer
from twinflow.contrib.opt.shampoo import ShampooOptimizer as ShampooOptimizer
from twinflow.contrib.opt.sign_steps import AddSignOptimizer as AddSignOptimizer
from twinflow.contrib.opt.sign_steps import PowerSignOptimizer as PowerSignOptimizer
from twinflow.contrib.opt.variable_clipping import VariableClippingOptimizer as VariableClippingOptimizer
from twinflow.contrib.opt.weight_decay import AdamWOptimizer as AdamWOptimizer
from twinflow.contrib.opt.weight_decay import DecoupledWeightDecayExtension as DecoupledWeightDecayExtension
from twinflow.contrib.opt.weight_decay import MomentumWOptimizer as MomentumWOptimizer
from twinflow.contrib.opt.weight_decay import extend_with_decoupled_weight_decay as extend_with_decoupled_weight_decay

__all__ = [
"AdaMaxOptimizer", "AGNCustomGetter", "AGNOptimizer", "ElasticAverageCustomGetter",
"ElasticAverageOptimizer", "DropStaleGradientOptimizer", "ExternalOptimizerInterface",
"ScipyOptimizerInterface", "GGTOptimizer", "LARSOptimizer", "ModelAverageCustomGetter",
"ModelAverageOptimizer", "MovingAverageOptimizer", "MultitaskOptimizerWrapper",
"clip_gradients_by_global_norm", "LazyAdamOptimizer", "NadamOptimizer",
"RegAdagradOptimizer", "ShampooOptimizer", "AddSignOptimizer", "PowerSignOptimizer",
"VariableClippingOptimizer", "AdamWOptimizer", "DecoupledWeightDecayExtension",
"MomentumWOptimizer", "extend_with_decoupled_weight_decay"
]
