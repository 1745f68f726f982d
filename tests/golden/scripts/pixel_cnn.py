# A gated PixelCNN: masked convolutions, a categorical output, and sampling pixel by pixel.
import numpy as np
import tensorflow as tf

SIZE, LEVELS, FEATURES, CLASSES = 6, 4, 6, 2
conf = tf.contrib.training.HParams(lr=0.01, layers=2, batch=8, grad_clip=1.0, kinds=['A', 'B'])
conf.parse('lr=0.02,layers=3')
print(sorted(conf.values().items()))


def masked_weights(shape, kind, name):
    """Weights that see pixels above and to the left alone; kind A not the pixel itself."""
    mask = np.ones(shape, np.float32)
    y, x = shape[0] // 2, shape[1] // 2
    mask[y, x + (kind == 'B'):] = 0.0
    mask[y + 1:] = 0.0
    weights = tf.get_variable(name, shape, initializer=tf.contrib.layers.xavier_initializer_conv2d(),
                              constraint=lambda w: tf.clip_by_norm(w, 3.0))
    return tf.multiply(weights, tf.constant(mask), name=name + '_masked')


@tf.contrib.framework.add_arg_scope
def masked_conv(x, filters, size, kind='B', activation=None, data_format='NHWC', scope=None):
    with tf.variable_scope(scope, 'masked', [x]):
        depth = x.shape[-1].value
        w = masked_weights([size, size, depth, filters], kind, 'W')
        b = tf.get_variable('b', [filters], initializer=tf.zeros_initializer())
        out = tf.nn.convolution(x, w, padding='SAME', strides=None, data_format=data_format) + b
        return out if activation is None else activation(out)


def gated_block(x, condition, kind, scope):
    with tf.variable_scope(scope):
        both = masked_conv(x, 2 * FEATURES, 3, kind)
        v = tf.get_variable('V', [CLASSES, 2 * FEATURES])
        both += tf.reshape(tf.matmul(condition, v), [-1, 1, 1, 2 * FEATURES])
        a, b = tf.split(both, num_or_size_splits=2, axis=-1)
        out = tf.multiply(tf.tanh(a), tf.sigmoid(b), name='gated')
        out = masked_conv(out, FEATURES, 1, 'B')
        return out + x if kind == 'B' else out


def pixel_cnn(images, condition):
    x = tf.to_float(images)[..., None] / (LEVELS - 1)
    with tf.contrib.framework.arg_scope([masked_conv], data_format='NHWC'):
        for i in range(conf.layers):
            x = gated_block(x, condition, conf.kinds[min(i, 1)], 'block%d' % i)
        x = masked_conv(x, FEATURES, 1, activation=tf.nn.elu, scope='pre')
        return masked_conv(x, LEVELS, 1, scope='logits')


rng = np.random.RandomState(9)
kinds = rng.randint(0, CLASSES, 24)
grid = np.arange(SIZE)
data = np.array([(grid[:, None] * k + grid[None] * (1 - k) + rng.randint(2)) // 2 % LEVELS for k in kinds])
tf.set_random_seed(9)
X = tf.placeholder(tf.int32, [None, SIZE, SIZE], name='X')
label = tf.placeholder(tf.int32, [None], name='label')
logits = tf.make_template('net', pixel_cnn)(X, tf.one_hot(label, CLASSES))
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=X, logits=logits))
bits = tf.divide(loss, tf.log(2.0), name='bits_per_dim')
trainer = tf.train.RMSPropOptimizer(conf.lr, decay=0.95, momentum=0.1)
gradients = trainer.compute_gradients(loss)
clipped = [(tf.clip_by_value(g, -conf.grad_clip, conf.grad_clip), v) for g, v in gradients]
optimizer = trainer.apply_gradients(clipped)
sampled = tf.multinomial(tf.reshape(logits, [-1, LEVELS]), 1, seed=31, output_dtype=tf.int32)
sampled = tf.reshape(sampled, tf.shape(X), name='sampled')
print(logits, bits, sampled, sep='\n')
for v in tf.trainable_variables()[:6] + tf.trainable_variables()[-2:]:
    print(v.op.name, v.shape.as_list())

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(4):
        for lo in range(0, len(data), conf.batch):
            rows = slice(lo, lo + conf.batch)
            value, b, _ = sess.run([loss, bits, optimizer], {X: data[rows], label: kinds[rows]})
        print('epoch %d loss %.5f bits %.5f' % (epoch, value, b))
    # a pixel depends on those before it alone
    dependent = tf.gradients(logits[0, 2, 3], tf.get_default_graph().get_tensor_by_name('net/truediv:0'))[0]
    seen = sess.run(dependent, {X: data[:1], label: kinds[:1]})[0, :, :, 0] != 0
    print(seen.astype(int).tolist())
    images = np.zeros([2, SIZE, SIZE], np.int32)
    for i in range(SIZE):
        for j in range(SIZE):
            found = sess.run(sampled, {X: images, label: [0, 1]})
            images[:, i, j] = found[:, i, j]
    print(images.tolist())
    masks = [sess.run(t).astype(bool).sum() for t in ('net/block0/masked/W_masked:0', 'net/block1/masked/W_masked:0')]
    print(masks, '%.4f' % sess.run(loss, {X: images, label: [0, 1]}))
