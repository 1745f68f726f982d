# DCGAN in miniature: conv2d_transpose, batch norm, update ops of two networks.
import numpy as np
import tensorflow as tf

IMAGE = 16


def lrelu(x, th=0.2):
    return tf.maximum(th * x, x)


def generator(x, isTrain=True, reuse=False):
    with tf.variable_scope('generator', reuse=reuse):
        conv1 = tf.layers.conv2d_transpose(x, 16, [4, 4], strides=(1, 1), padding='valid')
        lrelu1 = lrelu(tf.layers.batch_normalization(conv1, training=isTrain), 0.2)
        conv2 = tf.layers.conv2d_transpose(lrelu1, 8, [4, 4], strides=(2, 2),
                                           padding='same')
        lrelu2 = lrelu(tf.layers.batch_normalization(conv2, training=isTrain), 0.2)
        conv3 = tf.layers.conv2d_transpose(lrelu2, 1, [4, 4], strides=(2, 2),
                                           padding='same')
        return tf.nn.tanh(conv3)


def discriminator(x, isTrain=True, reuse=False):
    with tf.variable_scope('discriminator', reuse=reuse):
        conv1 = tf.layers.conv2d(x, 8, [4, 4], strides=(2, 2), padding='same')
        lrelu1 = lrelu(conv1, 0.2)
        conv2 = tf.layers.conv2d(lrelu1, 16, [4, 4], strides=(2, 2), padding='same')
        lrelu2 = lrelu(tf.layers.batch_normalization(conv2, training=isTrain), 0.2)
        conv3 = tf.layers.conv2d(lrelu2, 1, [4, 4], strides=(1, 1), padding='valid')
        return tf.nn.sigmoid(conv3), conv3


batch_size = 6
tf.set_random_seed(5)
np.random.seed(5)
x = tf.placeholder(tf.float32, shape=(None, IMAGE, IMAGE, 1))
z = tf.placeholder(tf.float32, shape=(None, 1, 1, 10))
isTrain = tf.placeholder(dtype=tf.bool)
G_z = generator(z, isTrain)
D_real, D_real_logits = discriminator(x, isTrain)
D_fake, D_fake_logits = discriminator(G_z, isTrain, reuse=True)
print(G_z, D_real, D_fake_logits, sep='\n')

D_loss_real = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(
    logits=D_real_logits, labels=tf.ones([batch_size, 1, 1, 1])))
D_loss_fake = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(
    logits=D_fake_logits, labels=tf.zeros([batch_size, 1, 1, 1])))
D_loss = D_loss_real + D_loss_fake
G_loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(
    logits=D_fake_logits, labels=tf.ones([batch_size, 1, 1, 1])))
T_vars = tf.trainable_variables()
D_vars = [var for var in T_vars if var.name.startswith('discriminator')]
G_vars = [var for var in T_vars if var.name.startswith('generator')]
with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
    D_optim = tf.train.AdamOptimizer(0.0002, beta1=0.5).minimize(D_loss, var_list=D_vars)
    G_optim = tf.train.AdamOptimizer(0.0002, beta1=0.5).minimize(G_loss, var_list=G_vars)
for v in G_vars:
    print(v.op.name, v.shape)
print(len(D_vars), [op.name for op in tf.get_collection(tf.GraphKeys.UPDATE_OPS)])

sess = tf.InteractiveSession()
tf.global_variables_initializer().run()
train_set = np.random.rand(24, IMAGE, IMAGE, 1) * 2 - 1
fixed_z_ = np.random.randn(2, 1, 1, 10)
for epoch in range(2):
    G_losses = []
    D_losses = []
    for it in range(4):
        x_ = train_set[it * batch_size:(it + 1) * batch_size]
        z_ = np.random.randn(batch_size, 1, 1, 10)
        loss_d_, _ = sess.run([D_loss, D_optim], {x: x_, z: z_, isTrain: True})
        D_losses.append(loss_d_)
        z_ = np.random.randn(batch_size, 1, 1, 10)
        loss_g_, _ = sess.run([G_loss, G_optim], {z: z_, x: x_, isTrain: True})
        G_losses.append(loss_g_)
    print('[%d] loss_d: %.4f, loss_g: %.4f' % (
        epoch + 1, np.mean(D_losses), np.mean(G_losses)))
images = sess.run(G_z, {z: fixed_z_, isTrain: False})
print(images.shape, '%.4f' % np.abs(images).mean())
sess.close()
