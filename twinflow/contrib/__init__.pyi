# Made by `make stubs` from the table of the index.
from twinflow.contrib import all_reduce as all_reduce
from twinflow.contrib import autograph as autograph
from twinflow.contrib import compiler as compiler
from twinflow.contrib import nccl as nccl
from twinflow.contrib import checkpoint as checkpoint
from twinflow.contrib import staging as staging
from twinflow.contrib import constrained_optimization as constrained_optimization
from twinflow.contrib import batching as batching
from twinflow.contrib import coder as coder
from twinflow.contrib import proto as proto
from twinflow.contrib import periodic_resample as periodic_resample
from twinflow.contrib import quantization as quantization
from twinflow.contrib import reduce_slice_ops as reduce_slice_ops
from twinflow.contrib import rpc as rpc
from twinflow.contrib import ffmpeg as ffmpeg
from twinflow.contrib import stat_summarizer as stat_summarizer
from twinflow.contrib import remote_fused_graph as remote_fused_graph
from twinflow.contrib import data as data
from twinflow.contrib import distributions as distributions
from twinflow.contrib import eager as eager
from twinflow.contrib import framework as framework
from twinflow.contrib import graph_editor as graph_editor
from twinflow.contrib import factorization as factorization
from twinflow.contrib import hooks as hooks
from twinflow.contrib import grid_rnn as grid_rnn
from twinflow.contrib import linear_optimizer as linear_optimizer
from twinflow.contrib import kernel_methods as kernel_methods
from twinflow.contrib import nearest_neighbor as nearest_neighbor
from twinflow.contrib import solvers as solvers
from twinflow.contrib import image as image
from twinflow.contrib import input_pipeline as input_pipeline
from twinflow.contrib import integrate as integrate
from twinflow.contrib import bayesflow as bayesflow
from twinflow.contrib import keras as keras
from twinflow.contrib import labeled_tensor as labeled_tensor
from twinflow.contrib import layers as layers
from twinflow.contrib import bigtable as bigtable
from twinflow.contrib import cloud as cloud
from twinflow.contrib import lite as lite
from twinflow.contrib import lookup as lookup
from twinflow.contrib import losses as losses
from twinflow.contrib import gan as gan
from twinflow.contrib import meta_graph_transform as meta_graph_transform
from twinflow.contrib import metrics as metrics
from twinflow.contrib import signal as signal
from twinflow.contrib import legacy_seq2seq as legacy_seq2seq
from twinflow.contrib import nn as nn
from twinflow.contrib import reversible as reversible
from twinflow.contrib import memory_stats as memory_stats
from twinflow.contrib import model_pruning as model_pruning
from twinflow.contrib import receptive_field as receptive_field
from twinflow.contrib import tensor_forest as tensor_forest
from twinflow.contrib import boosted_trees as boosted_trees
from twinflow.contrib import decision_trees as decision_trees
from twinflow.contrib import recurrent as recurrent
from twinflow.contrib import resampler as resampler
from twinflow.contrib import rnn as rnn
from twinflow.contrib import seq2seq as seq2seq
from twinflow.contrib import slim as slim
from twinflow.contrib import session_bundle as session_bundle
from twinflow.contrib import sparsemax as sparsemax
from twinflow.contrib import specs as specs
from twinflow.contrib import mixed_precision as mixed_precision
from twinflow.contrib import stateless as stateless
from twinflow.contrib import summary as summary
from twinflow.contrib import tpu as tpu
from twinflow.contrib import quantize as quantize
from twinflow.contrib import timeseries as timeseries
from twinflow.contrib import training as training
from twinflow.contrib import util as util
from twinflow.contrib import feature_column as feature_column
from twinflow.contrib import estimator as estimator
from twinflow.contrib import predictor as predictor
from twinflow.contrib import saved_model as saved_model
from twinflow.contrib import cluster_resolver as cluster_resolver
from twinflow.contrib import copy_graph as copy_graph
from twinflow.contrib import crf as crf
from twinflow.contrib import cudnn_rnn as cudnn_rnn
from twinflow.contrib import deprecated as deprecated
from twinflow.contrib import learn as learn
from twinflow.contrib import tensorboard as tensorboard
from twinflow.contrib import text as text
from twinflow.contrib import testing as testing
from twinflow.contrib import tfprof as tfprof
from twinflow.contrib import opt as opt
from twinflow.contrib import distribute as distribute
from twinflow.contrib import optimizer_v2 as optimizer_v2

__all__ = [
"all_reduce", "autograph", "compiler", "nccl", "checkpoint", "staging",
"constrained_optimization", "batching", "coder", "proto", "periodic_resample",
"quantization", "reduce_slice_ops", "rpc", "ffmpeg", "stat_summarizer",
"remote_fused_graph", "data", "distributions", "eager", "framework", "graph_editor",
"factorization", "hooks", "grid_rnn", "linear_optimizer", "kernel_methods",
"nearest_neighbor", "solvers", "image", "input_pipeline", "integrate", "bayesflow",
"keras", "labeled_tensor", "layers", "bigtable", "cloud", "lite", "lookup", "losses",
"gan", "meta_graph_transform", "metrics", "signal", "legacy_seq2seq", "nn",
"reversible", "memory_stats", "model_pruning", "receptive_field", "tensor_forest",
"boosted_trees", "decision_trees", "recurrent", "resampler", "rnn", "seq2seq", "slim",
"session_bundle", "sparsemax", "specs", "mixed_precision", "stateless", "summary",
"tpu", "quantize", "timeseries", "training", "util", "feature_column", "estimator",
"predictor", "saved_model", "cluster_resolver", "copy_graph", "crf", "cudnn_rnn",
"deprecated", "learn", "tensorboard", "text", "testing", "tfprof", "opt", "distribute",
"optimizer_v2"
]
