"""The table of layers: how each is made and called, for testing.check_layer.

Plain data: see layer_making for who reads it. A row is (name, class, settings, shapes
of the inputs without the batch, further facts). A setting that is `("layer", class,
settings)` is a layer, `("custom", name)` something of layer_making.custom; a class
"layers.Dense" is one of tf.layers. Further facts:

`ints`: inputs are integers below this number. `batch`: the size of the batch is fixed.
`training`: an argument of the call. `mask`: the call gets the mask of layer_making.
`initial_state`, `constants`: so many of the last inputs are these. `ends`: TensorFlow
takes these from Inputs only. `graph`: eager mode refuses it. `untrained`: TensorFlow
trains it differently in each mode (variables that are read while they change; batch
normalization told not to train). `lossy`: get_config leaves something out. `cudnn`:
TensorFlow's CPU build has no kernel, the numbers are those of the plain layer.
"""

ROWS = [
    # core
    ("dense", "Dense", dict(units=4, activation="tanh"), [(3,)], {}),
    ("dense_3d", "Dense", dict(units=4, use_bias=False), [(2, 3)], {}),
    (
        "dense_regularized", "Dense",
        dict(units=2, kernel_constraint="max_norm", activation="softmax"), [(3,)], {},
    ),
    ("activation", "Activation", dict(activation="hard_sigmoid"), [(3,)], {}),
    ("activation_elu", "Activation", dict(activation="elu"), [(3,)], {}),
    ("activation_selu", "Activation", dict(activation="selu"), [(3,)], {}),
    ("activation_softplus", "Activation", dict(activation="softplus"), [(3,)], {}),
    ("activation_softsign", "Activation", dict(activation="softsign"), [(3,)], {}),
    ("dropout", "Dropout", dict(rate=0.5), [(3,)], {}),
    ("flatten", "Flatten", {}, [(2, 3, 2)], {}),
    ("flatten_first", "Flatten", dict(data_format="channels_first"), [(2, 3, 2)], {}),
    ("reshape", "Reshape", dict(target_shape=(3, -1)), [(6,)], {}),
    ("permute", "Permute", dict(dims=(2, 1)), [(2, 3)], {}),
    ("repeat_vector", "RepeatVector", dict(n=2), [(3,)], {}),
    ("masking", "Masking", dict(mask_value=0.5), [(2, 3)], {}),
    ("activity", "ActivityRegularization", dict(l1=0.5, l2=0.25), [(3,)], {"graph": 1}),
    ("embedding", "Embedding", dict(input_dim=5, output_dim=2), [(4,)], {"ints": 5}),
    ("layer", "Layer", {}, [(3,)], {}),
    ("lambda", "Lambda", dict(function=("custom", "doubled")), [(3,)], {}),
    (
        "embedding_masked", "Embedding",
        dict(input_dim=5, output_dim=2, mask_zero=True, input_length=4), [(4,)],
        {"ints": 5},
    ),
    # activations
    ("leaky_relu", "LeakyReLU", dict(alpha=0.25), [(5,)], {}),
    ("prelu", "PReLU", {}, [(5,)], {}),
    ("prelu_shared", "PReLU", dict(shared_axes=[1]), [(2, 3)], {}),
    ("elu", "ELU", dict(alpha=0.5), [(5,)], {}),
    ("thresholded_relu", "ThresholdedReLU", dict(theta=0.25), [(5,)], {}),
    ("softmax", "Softmax", dict(axis=1), [(2, 3)], {}),
    (
        "relu", "ReLU", dict(max_value=0.5, negative_slope=0.25, threshold=0.125),
        [(5,)], {},
    ),
    # noise, without training
    ("gaussian_noise", "GaussianNoise", dict(stddev=0.5), [(3,)], {}),
    ("gaussian_dropout", "GaussianDropout", dict(rate=0.5), [(3,)], {}),
    ("alpha_dropout", "AlphaDropout", dict(rate=0.5), [(3,)], {}),
    ("spatial_dropout1d", "SpatialDropout1D", dict(rate=0.5), [(2, 3)], {}),
    ("spatial_dropout2d", "SpatialDropout2D", dict(rate=0.5), [(2, 2, 3)], {}),
    ("spatial_dropout3d", "SpatialDropout3D", dict(rate=0.5), [(2, 1, 2, 3)], {}),
    # convolutions
    ("conv1d", "Conv1D", dict(filters=3, kernel_size=2), [(5, 2)], {}),
    (
        "conv1d_causal", "Conv1D",
        dict(filters=3, kernel_size=2, padding="causal", dilation_rate=2), [(5, 2)], {},
    ),
    (
        "conv1d_same", "Conv1D",
        dict(filters=3, kernel_size=3, padding="same", strides=2, activation="relu"),
        [(5, 2)], {},
    ),
    ("conv2d", "Conv2D", dict(filters=3, kernel_size=2), [(4, 5, 2)], {}),
    (
        "conv2d_same", "Conv2D",
        dict(filters=2, kernel_size=(3, 2), padding="SAME", strides=(2, 1)),
        [(5, 4, 2)], {},
    ),
    (
        "conv2d_dilated", "Conv2D",
        dict(filters=2, kernel_size=2, dilation_rate=(2, 1), use_bias=False),
        [(5, 4, 2)], {},
    ),
    ("conv3d", "Conv3D", dict(filters=2, kernel_size=2), [(3, 4, 3, 2)], {}),
    (
        "conv3d_same", "Conv3D",
        dict(filters=2, kernel_size=2, padding="same", strides=2), [(3, 4, 3, 2)], {},
    ),
    (
        "conv2d_transpose", "Conv2DTranspose",
        dict(filters=2, kernel_size=3, strides=2), [(3, 2, 2)], {},
    ),
    (
        "conv2d_transpose_same", "Conv2DTranspose",
        dict(filters=2, kernel_size=2, strides=(1, 2), padding="same"), [(3, 2, 2)], {},
    ),
    (
        "conv3d_transpose", "Conv3DTranspose",
        dict(filters=2, kernel_size=2, strides=2), [(2, 2, 2, 2)], {},
    ),
    (
        "depthwise", "DepthwiseConv2D",
        dict(kernel_size=2, depth_multiplier=2, padding="same"), [(4, 3, 2)], {},
    ),
    (
        "separable1d", "SeparableConv1D",
        dict(filters=3, kernel_size=2, depth_multiplier=2), [(5, 2)], {},
    ),
    (
        "separable1d_causal", "SeparableConv1D",
        dict(filters=2, kernel_size=3, padding="causal"), [(5, 2)], {},
    ),
    (
        "separable2d", "SeparableConv2D",
        dict(filters=3, kernel_size=2, padding="same", strides=2), [(4, 5, 2)], {},
    ),
    (
        "separable2d_dilated", "SeparableConv2D",
        dict(filters=3, kernel_size=2, dilation_rate=2), [(4, 5, 2)], {},
    ),
    (
        "local1d", "LocallyConnected1D",
        dict(filters=3, kernel_size=2, strides=2), [(5, 2)], {},
    ),
    ("local2d", "LocallyConnected2D", dict(filters=3, kernel_size=2), [(3, 4, 2)], {}),
    (
        "local2d_whole", "LocallyConnected2D",
        dict(filters=2, kernel_size=2, implementation=2, padding="same"),
        [(3, 4, 2)], {},
    ),
    (
        "local1d_whole", "LocallyConnected1D",
        dict(filters=2, kernel_size=3, implementation=2, padding="same"), [(5, 2)], {},
    ),
    (
        "conv2d_transpose_plain", "Conv2DTranspose",
        dict(filters=2, kernel_size=2, use_bias=False, activation="relu"),
        [(3, 2, 2)], {},
    ),
    (
        "dense_limited", "Dense",
        dict(units=2, kernel_constraint="non_neg", kernel_regularizer="l2",
             bias_regularizer="l1"), [(3,)], {},
    ),
    # sizes
    ("upsampling1d", "UpSampling1D", dict(size=2), [(3, 2)], {}),
    ("upsampling2d", "UpSampling2D", dict(size=(2, 3)), [(2, 2, 2)], {}),
    (
        "upsampling2d_first", "UpSampling2D", dict(data_format="channels_first"),
        [(2, 2, 3)], {},
    ),
    ("upsampling3d", "UpSampling3D", dict(size=(1, 2, 2)), [(2, 2, 2, 1)], {}),
    ("padding1d", "ZeroPadding1D", dict(padding=(1, 2)), [(2, 3)], {}),
    ("padding2d", "ZeroPadding2D", dict(padding=((1, 0), (0, 2))), [(2, 3, 1)], {}),
    ("padding3d", "ZeroPadding3D", dict(padding=1), [(1, 2, 2, 1)], {}),
    ("cropping1d", "Cropping1D", dict(cropping=(1, 0)), [(4, 2)], {}),
    ("cropping2d", "Cropping2D", dict(cropping=((1, 0), (0, 1))), [(3, 3, 2)], {}),
    (
        "cropping2d_first", "Cropping2D",
        dict(cropping=1, data_format="channels_first"), [(2, 3, 4)], {},
    ),
    ("cropping3d", "Cropping3D", dict(cropping=1), [(3, 3, 4, 2)], {}),
    # pooling
    ("max_pooling1d", "MaxPooling1D", {}, [(5, 2)], {}),
    ("max_pooling1d_same", "MaxPooling1D", dict(padding="same"), [(5, 2)], {}),
    (
        "average_pooling1d", "AveragePooling1D", dict(pool_size=3, strides=1),
        [(5, 2)], {},
    ),
    ("max_pooling2d", "MaxPooling2D", dict(pool_size=(2, 1)), [(4, 3, 2)], {}),
    (
        "average_pooling2d", "AveragePooling2D",
        dict(pool_size=2, strides=1, padding="same"), [(3, 3, 2)], {},
    ),
    ("max_pooling3d", "MaxPooling3D", {}, [(4, 2, 2, 1)], {}),
    ("average_pooling3d", "AveragePooling3D", dict(strides=1), [(3, 2, 2, 1)], {}),
    ("global_average1d", "GlobalAveragePooling1D", {}, [(3, 2)], {}),
    ("global_max1d", "GlobalMaxPooling1D", {}, [(3, 2)], {}),
    ("global_average2d", "GlobalAveragePooling2D", {}, [(2, 3, 2)], {}),
    (
        "global_max2d", "GlobalMaxPooling2D", dict(data_format="channels_first"),
        [(2, 3, 2)], {},
    ),
    ("global_average3d", "GlobalAveragePooling3D", {}, [(2, 2, 2, 2)], {}),
    ("global_max3d", "GlobalMaxPooling3D", {}, [(2, 2, 2, 2)], {}),
    # normalization
    ("batch_norm", "BatchNormalization", {}, [(3,)], {}),
    ("batch_norm_training", "BatchNormalization", {}, [(3,)], {"training": True}),
    ("batch_norm_images", "BatchNormalization", dict(momentum=0.5), [(2, 3, 2)], {}),
    (
        "batch_norm_images_training", "BatchNormalization", dict(scale=False),
        [(2, 3, 2)], {"training": True},
    ),
    (
        "batch_norm_axis", "BatchNormalization", dict(axis=1, fused=False),
        [(2, 3, 2)], {"training": True},
    ),
    # several inputs
    ("add", "Add", {}, [(2, 3), (2, 3), (2, 1)], {}),
    ("subtract", "Subtract", {}, [(3,), (3,)], {}),
    ("multiply", "Multiply", {}, [(3,), (3,)], {}),
    ("average", "Average", {}, [(3,), (3,), (3,)], {}),
    ("maximum", "Maximum", {}, [(3,), (3,)], {}),
    ("minimum", "Minimum", {}, [(3,), (3,)], {}),
    ("concatenate", "Concatenate", dict(axis=1), [(2, 3), (1, 3)], {}),
    ("dot", "Dot", dict(axes=1), [(3,), (3,)], {}),
    ("dot_normalized", "Dot", dict(axes=-1, normalize=True), [(2, 3), (4, 3)], {}),
    ("dot_axes", "Dot", dict(axes=(1, 2)), [(3, 2), (4, 3)], {}),
]  # fmt: skip
