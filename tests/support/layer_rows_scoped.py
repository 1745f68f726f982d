"""The layers of tf.layers; see layer_rows for what a row is."""

_POOL = dict(pool_size=2, strides=2)

ROWS = [
    ("scoped_layer", "layers.Layer", {}, [(3,)], {}),
    ("scoped_dense", "layers.Dense", dict(units=4), [(3,)], {}),
    ("scoped_dense_3d", "layers.Dense", dict(units=2, use_bias=False), [(2, 3)], {}),
    ("scoped_dropout", "layers.Dropout", dict(rate=0.5), [(3,)], {}),
    ("scoped_flatten", "layers.Flatten", {}, [(2, 3, 2)], {}),
    (
        "scoped_conv1d", "layers.Conv1D", dict(filters=3, kernel_size=2), [(5, 2)], {},
    ),
    (
        "scoped_conv2d", "layers.Conv2D",
        dict(filters=3, kernel_size=2, strides=2, padding="same"), [(4, 5, 2)], {},
    ),
    (
        "scoped_conv3d", "layers.Conv3D", dict(filters=2, kernel_size=2),
        [(3, 4, 3, 2)], {},
    ),
    (
        "scoped_conv2d_transpose", "layers.Conv2DTranspose",
        dict(filters=2, kernel_size=3, strides=2), [(3, 2, 2)], {},
    ),
    (
        "scoped_conv3d_transpose", "layers.Conv3DTranspose",
        dict(filters=2, kernel_size=2, strides=2), [(2, 2, 2, 2)], {},
    ),
    (
        "scoped_separable1d", "layers.SeparableConv1D",
        dict(filters=3, kernel_size=2), [(5, 2)], {"untrained": 1},
    ),
    (
        "scoped_separable2d", "layers.SeparableConv2D",
        dict(filters=3, kernel_size=2, depth_multiplier=2), [(4, 5, 2)],
        {"untrained": 1},
    ),
    ("scoped_max1d", "layers.MaxPooling1D", _POOL, [(5, 2)], {}),
    ("scoped_max2d", "layers.MaxPooling2D", _POOL, [(4, 3, 2)], {}),
    ("scoped_max3d", "layers.MaxPooling3D", _POOL, [(4, 2, 2, 1)], {}),
    ("scoped_average1d", "layers.AveragePooling1D", _POOL, [(5, 2)], {}),
    ("scoped_average2d", "layers.AveragePooling2D", _POOL, [(4, 3, 2)], {}),
    ("scoped_average3d", "layers.AveragePooling3D", _POOL, [(4, 2, 2, 1)], {}),
    (
        "scoped_norm", "layers.BatchNormalization", {}, [(2, 3, 2)], {"untrained": 1},
    ),
    (
        "scoped_norm_training", "layers.BatchNormalization", dict(momentum=0.5),
        [(3,)], {"training": True},
    ),
    (
        "scoped_norm_renorm", "layers.BatchNormalization", dict(renorm=True),
        [(2, 3, 2)], {"training": True},
    ),
]  # fmt: skip
