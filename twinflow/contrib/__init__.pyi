# Made by `python -m twinflow.testing.stubs` from the table of the index.
from twinflow.contrib import eager as eager
from twinflow.contrib import framework as framework
from twinflow.contrib import layers as layers
from twinflow.contrib import lookup as lookup
from twinflow.contrib import metrics as metrics
from twinflow.contrib import signal as signal
from twinflow.contrib import nn as nn
from twinflow.contrib import stateless as stateless
from twinflow.contrib import training as training
