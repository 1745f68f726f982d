"""Configurations of RevNet by name, as tf.contrib.training.HParams.

The depth counts convolutions and the dense layer: 2 + stages of blocks, each of which
has two functions of two convolutions (three in the bottleneck form).
"""

import twinflow as tf

CIFAR = dict(
    image=[32, 32, 3], classes=10, bottleneck=False,
    blocks=[3, 3, 3], filters=[32, 64, 112], strides=[1, 2, 2],
    first_filters=32, first_kernel=3, first_stride=1, first_pool=False,
    batch_size=100, momentum=0.9, weight_decay=2e-4,
    rates=[0.1, 0.01, 0.001], boundaries=[40000, 60000], steps=80000,
    axis=3, reversible=True, dtype="float32",
)  # fmt: skip
IMAGENET = CIFAR | dict(
    image=[224, 224, 3], classes=1000, bottleneck=True,
    blocks=[2, 2, 3, 2], filters=[128, 256, 512, 832], strides=[1, 2, 2, 2],
    first_filters=128, first_kernel=7, first_stride=2, first_pool=True,
    batch_size=256, weight_decay=1e-4,
    rates=[0.1, 0.01, 0.001, 1e-4], boundaries=[160000, 320000, 480000], steps=600000,
)  # fmt: skip
TABLE = {
    "revnet-38-cifar": CIFAR,
    "revnet-110-cifar": CIFAR | dict(blocks=[9, 9, 9], filters=[32, 64, 128]),
    "revnet-164-cifar": CIFAR
    | dict(blocks=[9, 9, 9], filters=[128, 256, 512], bottleneck=True),
    "revnet-56-imagenet": IMAGENET,
    "revnet-104-imagenet": IMAGENET | dict(blocks=[2, 2, 11, 2]),
    "revnet-tiny": CIFAR
    | dict(
        blocks=[2, 2], filters=[8, 16], strides=[1, 2], first_filters=8, batch_size=20
    ),
}


def depth(config):
    """The number of layers with weights on the longest path."""
    return 2 + sum(config.blocks) * 2 * (3 if config.bottleneck else 2)


def named(name, **changes):
    """The configuration of this name; "revnet-38-cifar100" has 100 classes.

    Raises:
        ValueError: there is none of this name.
    """
    hundred = name.endswith("cifar100")
    base = name.removesuffix("100") if hundred else name.replace("cifar10", "cifar")
    if base not in TABLE:
        raise ValueError(f"No configuration {name!r}; there are {', '.join(TABLE)}.")
    settings = TABLE[base] | (dict(classes=100) if hundred else {}) | changes
    return tf.contrib.training.HParams(**settings)
