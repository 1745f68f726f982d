"""Matrices of time series models, with the numbers of TensorFlow 1.12."""

import numpy as np
import pytest

import twinflow as tf
from tests.modes import eager_and_graph
from twinflow.contrib.timeseries import matrices as m

A = np.array([[0.5, 0.2], [-0.3, 0.8]])
C = np.array([[2.0, 0.5], [0.5, 1.0]])
