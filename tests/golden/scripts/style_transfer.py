# Style transfer: Gram matrices, total variation and a trained image.
import collections

import numpy as np
import tensorflow as tf

CONTENT_WEIGHT = 5e0
STYLE_WEIGHT = 1e2
TV_WEIGHT = 1e-2
STYLE_LAYERS = ('relu1_1', 'relu2_1')
CONTENT_LAYERS = ('relu2_2',)
LAYERS = ('conv1_1', 'relu1_1', 'conv1_2', 'relu1_2', 'pool1',
          'conv2_1', 'relu2_1', 'conv2_2', 'relu2_2')


def load_net():
    """Weights as a pretrained network would have them."""
    rng = np.random.RandomState(19)
    weights = {}
    channels = 3
    for name, out in (('conv1_1', 6), ('conv1_2', 6), ('conv2_1', 8), ('conv2_2', 8)):
        kernel = 0.3 * rng.randn(3, 3, channels, out)
        weights[name] = (kernel.astype(np.float32), 0.1 * rng.randn(out))
        channels = out
    return weights


def net_preloaded(weights, input_image, pooling):
    net = collections.OrderedDict()
    current = input_image
    for name in LAYERS:
        kind = name[:4]
        if kind == 'conv':
            kernels, bias = weights[name]
            conv = tf.nn.conv2d(current, tf.constant(kernels), strides=(1, 1, 1, 1),
                                padding='SAME')
            current = tf.nn.bias_add(conv, bias.reshape(-1).astype(np.float32))
        elif kind == 'relu':
            current = tf.nn.relu(current)
        elif kind == 'pool':
            pool = tf.nn.avg_pool if pooling == 'avg' else tf.nn.max_pool
            current = pool(current, ksize=(1, 2, 2, 1), strides=(1, 2, 2, 1),
                           padding='SAME')
        net[name] = current
    assert len(net) == len(LAYERS)
    return net


def _tensor_size(tensor):
    from operator import mul
    from functools import reduce
    return reduce(mul, (d.value for d in tensor.get_shape()), 1)


rng = np.random.RandomState(2)
shape = (1, 10, 10, 3)
content = rng.rand(*shape).astype(np.float32)
style = rng.rand(1, 12, 12, 3).astype(np.float32)
vgg_weights = load_net()
content_features, style_features = {}, {}

g = tf.Graph()
with g.as_default(), g.device('/cpu:0'), tf.Session() as sess:
    image = tf.placeholder('float', shape=shape)
    net = net_preloaded(vgg_weights, image, 'max')
    for layer in CONTENT_LAYERS:
        content_features[layer] = net[layer].eval(feed_dict={image: content})
g = tf.Graph()
with g.as_default(), g.device('/cpu:0'), tf.Session() as sess:
    image = tf.placeholder('float', shape=style.shape)
    net = net_preloaded(vgg_weights, image, 'max')
    for layer in STYLE_LAYERS:
        features = net[layer].eval(feed_dict={image: style})
        features = np.reshape(features, (-1, features.shape[3]))
        style_features[layer] = np.matmul(features.T, features) / features.size

with tf.Graph().as_default():
    tf.set_random_seed(0)
    initial = tf.random_normal(shape) * 0.256
    image = tf.Variable(initial)
    net = net_preloaded(vgg_weights, image, 'max')
    content_loss = 0
    for layer in CONTENT_LAYERS:
        content_loss += CONTENT_WEIGHT * 2 * tf.nn.l2_loss(
            net[layer] - content_features[layer]) / content_features[layer].size
    style_losses = []
    for layer in STYLE_LAYERS:
        _, height, width, number = map(lambda i: i.value, net[layer].get_shape())
        size = height * width * number
        feats = tf.reshape(net[layer], (-1, number))
        gram = tf.matmul(tf.transpose(feats), feats) / size
        style_gram = style_features[layer]
        style_losses.append(2 * tf.nn.l2_loss(gram - style_gram) / style_gram.size)
    style_loss = STYLE_WEIGHT * tf.add_n(style_losses)
    tv_y_size = _tensor_size(image[:, 1:, :, :])
    tv_x_size = _tensor_size(image[:, :, 1:, :])
    tv_loss = TV_WEIGHT * 2 * (
        tf.nn.l2_loss(image[:, 1:, :, :] - image[:, :shape[1] - 1, :, :]) / tv_y_size
        + tf.nn.l2_loss(image[:, :, 1:, :] - image[:, :, :shape[2] - 1, :]) / tv_x_size)
    print(tv_loss, tv_loss - tf.image.total_variation(image)[0] * 0., sep='\n')
    loss = content_loss + style_loss + tv_loss
    train_step = tf.train.AdamOptimizer(0.05, 0.9, 0.999, 1e-08).minimize(loss)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        best_loss = float('inf')
        for i in range(10):
            if i % 3 == 0:
                print('Iteration %2d content %.4f style %.4f tv %.5f' % (
                    i, content_loss.eval(), style_loss.eval(), tv_loss.eval()))
            train_step.run()
            best_loss = min(best_loss, loss.eval())
        print('best %.3f, total variation %.2f' % (
            best_loss, tf.reduce_sum(tf.image.total_variation(image)).eval()))
