# Made by `make stubs` from the table of the index.
from twinflow.contrib import checkpoint as checkpoint
from twinflow.contrib import data as data
from twinflow.contrib import eager as eager
from twinflow.contrib import estimator as estimator
from twinflow.contrib import framework as framework
from twinflow.contrib import layers as layers
from twinflow.contrib import lookup as lookup
from twinflow.contrib import losses as losses
from twinflow.contrib import metrics as metrics
from twinflow.contrib import signal as signal
from twinflow.contrib import legacy_seq2seq as legacy_seq2seq
from twinflow.contrib import nn as nn
from twinflow.contrib import predictor as predictor
from twinflow.contrib import reversible as reversible
from twinflow.contrib import rnn as rnn
from twinflow.contrib import seq2seq as seq2seq
from twinflow.contrib import slim as slim
from twinflow.contrib import stateless as stateless
from twinflow.contrib import summary as summary
from twinflow.contrib import tpu as tpu
from twinflow.contrib import training as training
from twinflow.contrib import util as util

__all__ = [
"checkpoint", "data", "eager", "estimator", "framework", "layers", "lookup", "losses",
"metrics", "signal", "legacy_seq2seq", "nn", "predictor", "reversible", "rnn",
"seq2seq", "slim", "stateless", "summary", "tpu", "training", "util"
]
