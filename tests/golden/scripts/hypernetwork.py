# A hypernetwork: one network makes the weights of another.
import numpy as np
import tensorflow as tf

tf.set_random_seed(50)
rng = np.random.RandomState(50)
Z, F, C = 4, 3, 4


def hyper_conv(x, out_channels, name):
    """A convolution whose kernel is made from an embedding."""
    in_channels = x.get_shape().as_list()[-1]
    with tf.variable_scope(name):
        z = tf.get_variable('z', [1, Z], initializer=tf.random_normal_initializer())
    with tf.variable_scope('hyper', reuse=tf.AUTO_REUSE):
        w2 = tf.get_variable('w2', [Z, C * Z],
                             initializer=tf.orthogonal_initializer(gain=0.7))
        b2 = tf.get_variable('b2', [C * Z], initializer=tf.zeros_initializer())
        w1 = tf.get_variable('w1', [Z, C * F * F],
                             initializer=tf.random_normal_initializer(stddev=0.2))
        b1 = tf.get_variable('b1', [C * F * F], initializer=tf.zeros_initializer())
    h = tf.reshape(tf.matmul(z, w2) + b2, [C, Z])
    kernel = tf.reshape(tf.matmul(h, w1) + b1, [C, C, F, F])
    kernel = tf.transpose(kernel, [2, 3, 0, 1])[:, :, :in_channels, :out_channels]
    return tf.nn.conv2d(x, kernel, [1, 1, 1, 1], 'SAME', name=name + '_conv')


x = tf.placeholder(tf.float32, [None, 6, 6, 2], name='x')
y = tf.placeholder(tf.int32, [None], name='y')
net = tf.nn.leaky_relu(hyper_conv(x, 4, 'first'))
net = tf.nn.leaky_relu(hyper_conv(net, 4, 'second'), alpha=0.1)
net = tf.nn.dropout(net, 0.9)
logits = tf.layers.dense(tf.layers.flatten(net), 3,
                         kernel_initializer=tf.initializers.he_uniform())
loss = tf.losses.softmax_cross_entropy(tf.one_hot(y, 3), logits)
optimizer = tf.train.AdamOptimizer(0.02)
gradients, variables = zip(*optimizer.compute_gradients(loss))
gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
train = optimizer.apply_gradients(zip(gradients, variables))
for v in tf.trainable_variables():
    print(v.name, v.shape)
hessian = tf.hessians(loss, tf.trainable_variables()[0])[0]
print(hessian.shape)
labels = rng.randint(0, 3, 18)
images = rng.rand(18, 6, 6, 2) + 0.4 * labels[:, None, None, None]
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(6):
        value, n = sess.run([loss, norm], {x: images, y: labels})
        sess.run(train, {x: images, y: labels})
        print('step %d loss %.4f norm %.4f' % (i, value, n))
