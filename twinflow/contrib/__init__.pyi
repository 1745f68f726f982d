# Made by `make stubs` from the table of the index.
from twinflow.contrib import all_reduce as all_reduce
from twinflow.contrib import autograph as autograph
from twinflow.contrib import compiler as compiler
from twinflow.contrib import nccl as nccl
from twinflow.contrib import checkpoint as checkpoint
from twinflow.contrib import staging as staging
from twinflow.contrib import data as data
from twinflow.contrib import distributions as distributions
from twinflow.contrib import eager as eager
from twinflow.contrib import framework as framework
from twinflow.contrib import factorization as factorization
from twinflow.contrib import image as image
from twinflow.contrib import integrate as integrate
from twinflow.contrib import bayesflow as bayesflow
from twinflow.contrib import keras as keras
from twinflow.contrib import layers as layers
from twinflow.contrib import lite as lite
from twinflow.contrib import lookup as lookup
from twinflow.contrib import losses as losses
from twinflow.contrib import metrics as metrics
from twinflow.contrib import signal as signal
from twinflow.contrib import legacy_seq2seq as legacy_seq2seq
from twinflow.contrib import nn as nn
from twinflow.contrib import reversible as reversible
from twinflow.contrib import memory_stats as memory_stats
from twinflow.contrib import resampler as resampler
from twinflow.contrib import rnn as rnn
from twinflow.contrib import seq2seq as seq2seq
from twinflow.contrib import slim as slim
from twinflow.contrib import sparsemax as sparsemax
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
"all_reduce", "autograph", "compiler", "nccl", "checkpoint", "staging", "data",
"distributions", "eager", "framework", "factorization", "image", "integrate",
"bayesflow", "keras", "layers", "lite", "lookup", "losses", "metrics", "signal",
"legacy_seq2seq", "nn", "reversible", "memory_stats", "resampler", "rnn", "seq2seq",
"slim", "sparsemax", "mixed_precision", "stateless", "summary", "tpu", "quantize",
"timeseries", "training", "util", "feature_column", "estimator", "predictor",
"saved_model", "crf", "cudnn_rnn", "deprecated", "learn", "tensorboard", "text",
"testing", "tfprof", "opt", "distribute", "optimizer_v2"
]
