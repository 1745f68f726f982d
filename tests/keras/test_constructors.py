"""Constructors and functions that are made from those of a base class."""

import inspect
import pickle

import pytest

import twinflow as tf
from twinflow.base.written import REQUIRED
from twinflow.keras.engine.constructors import declared
from twinflow.keras.engine.scoped_layer import Layer as ScopedLayer

MADE = [
    tf.keras.layers.Conv1D, tf.keras.layers.Conv2D, tf.keras.layers.Conv3DTranspose,
    tf.keras.layers.SeparableConv2D, tf.keras.layers.LocallyConnected1D,
    tf.layers.Conv2D, tf.layers.Dense, tf.layers.MaxPooling2D,
]  # fmt: skip


class Base:
    def __init__(self, a, b=2, name=None, **kwargs):
        self.given = dict(a=a, b=b, name=name, **kwargs)


@declared("name", b=REQUIRED, c=[3])
class Made(Base):
    config = ("d",)


def test_a_made_constructor_is_as_one_that_was_written():
    assert str(inspect.signature(Made)) == "(a, b, c=[3], **kwargs)"
    assert Made.config == ("a", "b", "c", "d")


@declared("name", b=5, c=3)
class Plain(Base):
    pass


def test_arguments_reach_the_base():
    assert Plain(1).given == dict(a=1, b=5, name=None, c=3)
    assert Plain(1, 2, 4, name="n", x=0).given == dict(a=1, b=2, name="n", c=4, x=0)


@pytest.mark.parametrize("cls", MADE)
def test_errors_name_the_class(cls):
    with pytest.raises(TypeError, match=rf"^{cls.__name__}.__init__\(\) missing"):
        cls()
    with pytest.raises(TypeError, match=rf"^{cls.__name__}.__init__\(\) takes from"):
        cls(*range(40))


@pytest.mark.parametrize(
    ("cls", "names"),
    [
        (tf.keras.layers.Conv2D, "filters kernel_size strides padding data_format "
         "dilation_rate activation use_bias kernel_initializer bias_initializer "
         "kernel_regularizer bias_regularizer activity_regularizer kernel_constraint "
         "bias_constraint kwargs"),
        (tf.keras.layers.Conv2DTranspose, "filters kernel_size strides padding "
         "data_format activation use_bias kernel_initializer bias_initializer "
         "kernel_regularizer bias_regularizer activity_regularizer kernel_constraint "
         "bias_constraint kwargs"),
        (tf.layers.MaxPooling2D, "pool_size strides padding data_format name kwargs"),
        (tf.layers.dropout, "inputs rate noise_shape seed training name"),
        (tf.layers.flatten, "inputs name"),
        (tf.layers.batch_normalization, "inputs axis momentum epsilon center scale "
         "beta_initializer gamma_initializer moving_mean_initializer "
         "moving_variance_initializer beta_regularizer gamma_regularizer "
         "beta_constraint gamma_constraint training trainable name reuse renorm "
         "renorm_clipping renorm_momentum fused virtual_batch_size adjustment"),
    ],
)  # fmt: skip
def test_the_arguments_are_those_of_tensorflow(cls, names):
    assert " ".join(inspect.signature(cls).parameters) == names


def test_defaults_differ_where_those_of_tensorflow_do():
    one, two = (inspect.signature(c).parameters for c in MADE[:2])
    assert (one["strides"].default, two["strides"].default) == (1, (1, 1))
    assert (one["data_format"].default, two["data_format"].default) == (
        "channels_last", None
    )  # fmt: skip
    scoped = inspect.signature(tf.layers.Conv2D).parameters
    assert scoped["kernel_initializer"].default is None
    assert isinstance(scoped["bias_initializer"].default, tf.zeros_initializer)


def test_functions_of_layers_are_pickled_by_name():
    assert pickle.loads(pickle.dumps(tf.layers.conv2d)) is tf.layers.conv2d
    assert "tf.layers.Conv2D" in tf.layers.conv2d.__doc__
    assert issubclass(tf.layers.Conv2D, ScopedLayer)
