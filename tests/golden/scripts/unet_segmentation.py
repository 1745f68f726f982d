# U-Net with crop_and_concat, pixel-wise soft-max, dice and mean IoU.
import numpy as np
import tensorflow as tf

tf.set_random_seed(2015)
rng = np.random.RandomState(2015)
N_CLASS, FEATURES, SIZE = 2, 4, 16


def weight_variable(shape, stddev=0.1, name="weight"):
    initial = tf.truncated_normal(shape, stddev=stddev)
    return tf.Variable(initial, name=name)


def bias_variable(shape, name="bias"):
    return tf.Variable(tf.constant(0.1, shape=shape), name=name)


def conv2d(x, W, b, keep_prob_):
    with tf.name_scope("conv2d"):
        conv_2d = tf.nn.conv2d(x, W, strides=[1, 1, 1, 1], padding='SAME')
        conv_2d_b = tf.nn.bias_add(conv_2d, b)
        return tf.nn.dropout(conv_2d_b, keep_prob_)


def deconv2d(x, W, stride):
    with tf.name_scope("deconv2d"):
        x_shape = tf.shape(x)
        output_shape = tf.stack([x_shape[0], x_shape[1] * 2, x_shape[2] * 2,
                                 x_shape[3] // 2])
        return tf.nn.conv2d_transpose(x, W, output_shape, strides=[1, stride, stride, 1],
                                      padding='VALID', name="conv2d_transpose")


def crop_and_concat(x1, x2):
    with tf.name_scope("crop_and_concat"):
        x1_shape = tf.shape(x1)
        x2_shape = tf.shape(x2)
        offsets = [0, (x1_shape[1] - x2_shape[1]) // 2,
                   (x1_shape[2] - x2_shape[2]) // 2, 0]
        size = [-1, x2_shape[1], x2_shape[2], -1]
        x1_crop = tf.slice(x1, offsets, size)
        return tf.concat([x1_crop, x2], 3)


def pixel_wise_softmax(output_map):
    with tf.name_scope("pixel_wise_softmax"):
        max_axis = tf.reduce_max(output_map, axis=3, keepdims=True)
        exponential_map = tf.exp(output_map - max_axis)
        normalize = tf.reduce_sum(exponential_map, axis=3, keepdims=True)
        return exponential_map / normalize


def create_conv_net(x, keep_prob, layers=2):
    nx = tf.shape(x)[1]
    in_node = tf.reshape(x, tf.stack([-1, nx, nx, 1]))
    dw, channels = [], 1
    for layer in range(layers):
        with tf.name_scope("down_conv_{}".format(str(layer))):
            features = 2 ** layer * FEATURES
            stddev = np.sqrt(2 / (3 ** 2 * features))
            w1 = weight_variable([3, 3, channels, features], stddev, name="w1")
            w2 = weight_variable([3, 3, features, features], stddev, name="w2")
            b1 = bias_variable([features], name="b1")
            conv1 = tf.nn.relu(conv2d(in_node, w1, b1, keep_prob))
            dw.append(tf.nn.relu(conv2d(conv1, w2, b1, keep_prob)))
            in_node, channels = dw[-1], features
            if layer < layers - 1:
                in_node = tf.nn.max_pool(in_node, [1, 2, 2, 1], [1, 2, 2, 1], 'VALID')
    for layer in range(layers - 2, -1, -1):
        with tf.name_scope("up_conv_{}".format(str(layer))):
            features = 2 ** (layer + 1) * FEATURES
            stddev = np.sqrt(2 / (3 ** 2 * features))
            wd = weight_variable([2, 2, features // 2, features], stddev, name="wd")
            bd = bias_variable([features // 2], name="bd")
            h_deconv = tf.nn.relu(deconv2d(in_node, wd, 2) + bd)
            concat = crop_and_concat(dw[layer], h_deconv)
            w = weight_variable([3, 3, features, features // 2], stddev, name="w")
            b = bias_variable([features // 2], name="b")
            in_node = tf.nn.relu(conv2d(concat, w, b, keep_prob))
    with tf.name_scope("output_map"):
        weight = weight_variable([1, 1, FEATURES, N_CLASS], 0.1)
        conv = conv2d(in_node, weight, bias_variable([N_CLASS]), tf.constant(1.0))
        return tf.nn.relu(conv)


x = tf.placeholder("float", shape=[None, None, None, 1], name="x")
y = tf.placeholder("float", shape=[None, None, None, N_CLASS], name="y")
keep_prob = tf.placeholder(tf.float32, name="dropout_probability")
logits = create_conv_net(x, keep_prob)
flat_logits = tf.reshape(logits, [-1, N_CLASS])
flat_labels = tf.reshape(y, [-1, N_CLASS])
class_weights = tf.constant(np.array([0.4, 0.6], dtype=np.float32))
weight_map = tf.reduce_sum(tf.multiply(flat_labels, class_weights), axis=1)
cost = tf.reduce_mean(weight_map * tf.nn.softmax_cross_entropy_with_logits_v2(
    logits=flat_logits, labels=flat_labels))
predicter = pixel_wise_softmax(logits)
eps = 1e-5
intersection = tf.reduce_sum(predicter * y)
dice = 2 * intersection / (eps + tf.reduce_sum(predicter) + tf.reduce_sum(y))
iou, iou_update = tf.metrics.mean_iou(tf.argmax(y, 3), tf.argmax(predicter, 3), N_CLASS)
optimizer = tf.train.MomentumOptimizer(0.1, 0.9).minimize(cost)
print(logits, predicter, dice, sep='\n')
print([v.name for v in tf.trainable_variables()])

centers = rng.randint(4, 12, (6, 2))
places = np.arange(SIZE)
masks = np.stack([(np.abs(places - a)[:, None] < 3) & (np.abs(places - b)[None] < 4)
                  for a, b in centers])
images = masks[..., None] * 0.7 + 0.3 * rng.rand(6, SIZE, SIZE, 1)
labels = np.stack([~masks, masks], -1)
with tf.Session() as sess:
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    for step in range(9):
        i = step * 2 % 6
        feed = {x: images[i:i + 2], y: labels[i:i + 2], keep_prob: 0.9}
        _, value = sess.run([optimizer, cost], feed)
        if step % 2 == 0:
            print('step %d cost %.4f' % (step, value))
    feed = {x: images, y: labels, keep_prob: 1.0}
    sess.run(iou_update, feed)
    print('dice %.3f iou %.3f' % (sess.run(dice, feed), sess.run(iou)))
