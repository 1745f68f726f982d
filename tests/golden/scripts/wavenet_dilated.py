# A stack of dilated causal convolutions with gates and skips predicts quantized waves.
from __future__ import division
from __future__ import print_function
import numpy as np
import tensorflow as tf


def mu_law_encode(audio, quantization_channels):
    with tf.name_scope('encode'):
        mu = tf.to_float(quantization_channels - 1)
        safe = tf.minimum(tf.abs(audio), 1.0)
        magnitude = tf.log1p(mu * safe) / tf.log1p(mu)
        return tf.to_int32((tf.sign(audio) * magnitude + 1) / 2 * mu + 0.5)


def mu_law_decode(output, quantization_channels):
    with tf.name_scope('decode'):
        mu = quantization_channels - 1
        signal = 2 * (tf.to_float(output) / mu) - 1
        return tf.sign(signal) * (1 / mu) * ((1 + mu) ** abs(signal) - 1)


def time_to_batch(value, dilation):
    shape = tf.shape(value)
    pad_elements = dilation - 1 - (shape[1] + dilation - 1) % dilation
    padded = tf.pad(value, [[0, 0], [0, pad_elements], [0, 0]])
    transposed = tf.transpose(tf.reshape(padded, [-1, dilation, shape[2]]), perm=[1, 0, 2])
    return tf.reshape(transposed, [shape[0] * dilation, -1, shape[2]])


def batch_to_time(value, dilation):
    shape = tf.shape(value)
    prepared = tf.reshape(value, [dilation, -1, shape[2]])
    return tf.reshape(tf.transpose(prepared, perm=[1, 0, 2]), [tf.div(shape[0], dilation), -1, shape[2]])


def causal_conv(value, filter_, dilation, name='causal_conv'):
    with tf.name_scope(name):
        filter_width = tf.shape(filter_)[0]
        if dilation > 1:
            transformed = time_to_batch(value, dilation)
            conv = tf.nn.conv1d(transformed, filter_, stride=1, padding='VALID')
            restored = batch_to_time(conv, dilation)
        else:
            restored = tf.nn.conv1d(value, filter_, stride=1, padding='VALID')
        out_width = tf.shape(value)[1] - (filter_width - 1) * dilation
        return tf.slice(restored, [0, 0, 0], [-1, out_width, -1])


class WaveNetModel(object):
    def __init__(self, dilations, filter_width, residual, skip, channels):
        self.dilations, self.filter_width = dilations, filter_width
        self.residual, self.skip, self.channels = residual, skip, channels
        self.receptive_field = (filter_width - 1) * sum(dilations) + 1 + filter_width - 1
        init = tf.contrib.layers.xavier_initializer_conv2d()
        with tf.variable_scope('wavenet'):
            self.first = tf.get_variable('causal', [filter_width, channels, residual], initializer=init)
            self.layers = []
            for i, _ in enumerate(dilations):
                with tf.variable_scope('layer{}'.format(i)):
                    shape = [filter_width, residual, residual]
                    self.layers.append({
                        'filter': tf.get_variable('filter', shape, initializer=init),
                        'gate': tf.get_variable('gate', shape, initializer=init),
                        'dense': tf.get_variable('dense', [1, residual, residual], initializer=init),
                        'skip': tf.get_variable('skip', [1, residual, skip], initializer=init)})
            self.last = tf.get_variable('postprocess', [1, skip, channels], initializer=init)

    def network(self, batch):
        current = causal_conv(batch, self.first, 1)
        output_width = tf.shape(batch)[1] - self.receptive_field + 1
        skips = []
        for weights, dilation in zip(self.layers, self.dilations):
            gated = tf.tanh(causal_conv(current, weights['filter'], dilation)) * tf.sigmoid(
                causal_conv(current, weights['gate'], dilation))
            transformed = tf.nn.conv1d(gated, weights['dense'], stride=1, padding="SAME", name="dense")
            cut = tf.shape(gated)[1] - output_width
            out_skip = tf.slice(gated, [0, cut, 0], [-1, -1, -1])
            skips.append(tf.nn.conv1d(out_skip, weights['skip'], stride=1, padding="SAME", name="skip"))
            input_cut = tf.shape(current)[1] - tf.shape(transformed)[1]
            current = tf.slice(current, [0, input_cut, 0], [-1, -1, -1]) + transformed
        return tf.nn.conv1d(tf.nn.relu(sum(skips)), self.last, stride=1, padding="SAME")

    def loss(self, audio):
        encoded = mu_law_encode(audio, self.channels)
        one_hot = tf.one_hot(encoded, self.channels)
        raw = self.network(one_hot[:, :-1])
        target = tf.slice(encoded, [0, self.receptive_field], [-1, -1])
        prediction = tf.reshape(raw, [-1, self.channels])
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(
            logits=prediction, labels=tf.reshape(target, [-1]))
        return tf.reduce_mean(losses), raw, encoded


tf.set_random_seed(9)
t = np.arange(64) / 64.0
waves = np.stack([np.sin(2 * np.pi * (3 + i) * t) * 0.9 for i in range(3)]).astype(np.float32)
model = WaveNetModel([1, 2, 4], 2, 6, 8, 16)
print("receptive field", model.receptive_field)
audio = tf.placeholder(tf.float32, [None, 64])
loss, raw, encoded = model.loss(audio)
optimizer = tf.train.AdamOptimizer(0.02, epsilon=1e-4)
train = optimizer.minimize(loss, var_list=tf.trainable_variables())
decoded = mu_law_decode(encoded, 16)
print(raw.name, raw.shape[-1])
print([v.op.name for v in tf.trainable_variables()][:4], len(tf.trainable_variables()))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    code, back = sess.run([encoded, decoded], {audio: waves})
    print(code[0, :16], "error below 0.15:", bool(np.abs(back - waves).max() < 0.15))
    for step in range(25):
        value, shape, _ = sess.run([loss, tf.shape(raw), train], {audio: waves})
        if step < 4:
            print("step %d - loss = %.4f" % (step, value), shape)
    print("step %d - loss = %.1f" % (step, value))
