"""The networks of tf.contrib.slim.nets: names and sizes as in TensorFlow 1.12."""

import pytest

import twinflow as tf

slim, nets = tf.contrib.slim, tf.contrib.slim.nets
CASES = [
    (nets.alexnet.alexnet_v2, nets.alexnet.alexnet_v2_arg_scope(), 224, {},
     "alexnet_v2/fc8/squeezed", 50303912, "alexnet_v2/pool5"),
    (nets.overfeat.overfeat, nets.overfeat.overfeat_arg_scope(), 231, {},
     "overfeat/fc8/squeezed", 145704424, "overfeat/pool5"),
    (nets.vgg.vgg_16, nets.vgg.vgg_arg_scope(), 224, {},
     "vgg_16/fc8/squeezed", 138357544, "vgg_16/conv3/conv3_3"),
    (nets.inception.inception_v1, nets.inception.inception_v1_arg_scope(), 224, {},
     "InceptionV1/Logits/SpatialSqueeze", 6617624, "Mixed_4f"),
    (nets.inception.inception_v2, nets.inception.inception_v2_arg_scope(), 224, {},
     "InceptionV2/Logits/SpatialSqueeze", 11178336, "Mixed_5a"),
    (nets.inception.inception_v3, nets.inception.inception_v3_arg_scope(), 299, {},
     "InceptionV3/Logits/SpatialSqueeze", 27143152, "AuxLogits"),
    (nets.resnet_v1.resnet_v1_50, nets.resnet_v1.resnet_arg_scope(), 64,
     {"num_classes": 5}, "resnet_v1_50/logits/BiasAdd", 23518277,
     "resnet_v1_50/block4"),
    (nets.resnet_v2.resnet_v2_50, nets.resnet_v2.resnet_arg_scope(), 64,
     {"num_classes": 5}, "resnet_v2_50/logits/BiasAdd", 23529605,
     "resnet_v2_50/block4"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("network", "scope", "size", "options", "name", "count", "point"), CASES
)
def test_networks(network, scope, size, options, name, count, point):
    with tf.Graph().as_default(), slim.arg_scope(scope):
        logits, points = network(tf.zeros([1, size, size, 3]), **options)
        entries, _ = slim.model_analyzer.analyze_vars(tf.trainable_variables())
    assert (logits.op.name, entries) == (name, count)
    assert point in points


def test_strides_become_holes():
    with tf.Graph().as_default(), slim.arg_scope(nets.resnet_v1.resnet_arg_scope()):
        net, _ = nets.resnet_v1.resnet_v1_50(
            tf.zeros([1, 65, 65, 3]), global_pool=False, output_stride=8
        )
        assert net.shape == [1, 9, 9, 2048]
        with pytest.raises(ValueError, match="needs to be a multiple of 4"):
            nets.resnet_v1.resnet_v1_50(tf.zeros([1, 65, 65, 3]), output_stride=6)
