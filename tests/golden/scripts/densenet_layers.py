# DenseNet-BC in miniature with tf.layers and the collection of update ops.
from __future__ import print_function
import numpy as np
import tensorflow as tf

growth_k = 4
nb_block = 2
init_learning_rate = 1e-2
weight_decay = 1e-4


def conv_layer(input, filter, kernel, stride=1, layer_name="conv"):
    with tf.name_scope(layer_name):
        network = tf.layers.conv2d(inputs=input, use_bias=False, filters=filter,
                                   kernel_size=kernel, strides=stride, padding='SAME',
                                   kernel_initializer=tf.variance_scaling_initializer())
        return network


def Batch_Normalization(x, training, scope):
    return tf.layers.batch_normalization(x, training=training, momentum=0.9, name=scope)


def Drop_out(x, rate, training):
    return tf.layers.dropout(inputs=x, rate=rate, training=training)


class DenseNet():
    def __init__(self, x, nb_blocks, filters, training):
        self.nb_blocks = nb_blocks
        self.filters = filters
        self.training = training
        self.model = self.Dense_net(x)

    def bottleneck_layer(self, x, scope):
        with tf.name_scope(scope):
            x = Batch_Normalization(x, training=self.training, scope=scope + '_batch1')
            x = tf.nn.relu(x)
            x = conv_layer(x, filter=4 * self.filters, kernel=[1, 1],
                           layer_name=scope + '_conv1')
            x = Drop_out(x, rate=0.2, training=self.training)
            x = Batch_Normalization(x, training=self.training, scope=scope + '_batch2')
            x = tf.nn.relu(x)
            x = conv_layer(x, filter=self.filters, kernel=[3, 3],
                           layer_name=scope + '_conv2')
            return Drop_out(x, rate=0.2, training=self.training)

    def transition_layer(self, x, scope):
        with tf.name_scope(scope):
            x = Batch_Normalization(x, training=self.training, scope=scope + '_batch1')
            x = tf.nn.relu(x)
            x = conv_layer(x, filter=self.filters, kernel=[1, 1],
                           layer_name=scope + '_conv1')
            return tf.layers.average_pooling2d(inputs=x, pool_size=2, strides=2,
                                               padding='VALID')

    def dense_block(self, input_x, nb_layers, layer_name):
        with tf.name_scope(layer_name):
            layers_concat = [input_x]
            for i in range(nb_layers):
                x = tf.concat(layers_concat, axis=3)
                x = self.bottleneck_layer(x, scope=layer_name + '_bottleN_' + str(i))
                layers_concat.append(x)
            return tf.concat(layers_concat, axis=3)

    def Dense_net(self, input_x):
        x = conv_layer(input_x, filter=2 * self.filters, kernel=[3, 3], stride=1,
                       layer_name='conv0')
        for i in range(self.nb_blocks):
            x = self.dense_block(input_x=x, nb_layers=2, layer_name='dense_' + str(i))
            print(x)
            x = self.transition_layer(x, scope='trans_' + str(i))
        x = Batch_Normalization(x, training=self.training, scope='linear_batch')
        x = tf.nn.relu(x)
        x = tf.reduce_mean(x, [1, 2])
        return tf.layers.dense(inputs=x, units=3, name='linear')


tf.set_random_seed(777)
np.random.seed(777)
train_y = np.random.randint(0, 3, 24)
train_x = np.random.rand(24, 8, 8, 3) + 0.2 * train_y.reshape(-1, 1, 1, 1)

x = tf.placeholder(tf.float32, shape=[None, 8, 8, 3])
label = tf.placeholder(tf.int32, shape=[None])
training_flag = tf.placeholder(tf.bool)
logits = DenseNet(x=x, nb_blocks=nb_block, filters=growth_k, training=training_flag).model
cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(
    labels=tf.one_hot(label, 3), logits=logits))
l2_loss = tf.add_n([tf.nn.l2_loss(var) for var in tf.trainable_variables()])
update_ops = tf.get_collection(tf.GraphKeys.UPDATE_OPS)
print(len(update_ops), update_ops[0].name, update_ops[1].name)
with tf.control_dependencies(update_ops):
    optimizer = tf.train.MomentumOptimizer(init_learning_rate, 0.9, use_nesterov=True)
    train = optimizer.minimize(cost + l2_loss * weight_decay)
accuracy = tf.reduce_mean(tf.cast(tf.equal(
    tf.argmax(logits, 1, output_type=tf.int32), label), tf.float32))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(3):
        for lo in (0, 12):
            feed = {x: train_x[lo:lo + 12], label: train_y[lo:lo + 12],
                    training_flag: True}
            _, loss = sess.run([train, cost], feed_dict=feed)
            print("epoch %d loss %.4f" % (epoch + 1, loss))
    feed = {x: train_x, label: train_y, training_flag: False}
    print("test loss %.3f" % sess.run(cost, feed))
    print(sum(np.prod(v.shape.as_list()) for v in tf.trainable_variables()), "parameters")
    print(sess.run("linear_batch/moving_variance:0").round(4)[:4])
