# A capsule network: routing by agreement, margin loss and reconstruction.
import numpy as np
import tensorflow as tf

np.random.seed(42)
tf.reset_default_graph()
tf.set_random_seed(42)


def squash(s, axis=-1, epsilon=1e-7, name=None):
    with tf.name_scope(name, default_name="squash"):
        squared_norm = tf.reduce_sum(tf.square(s), axis=axis, keep_dims=True)
        safe_norm = tf.sqrt(squared_norm + epsilon)
        squash_factor = squared_norm / (1. + squared_norm)
        unit_vector = s / safe_norm
        return squash_factor * unit_vector


def safe_norm(s, axis=-1, epsilon=1e-7, keep_dims=False, name=None):
    with tf.name_scope(name, default_name="safe_norm"):
        squared_norm = tf.reduce_sum(tf.square(s), axis=axis, keep_dims=keep_dims)
        return tf.sqrt(squared_norm + epsilon)


caps1_n_maps, caps1_n_dims = 4, 4
caps2_n_caps, caps2_n_dims = 3, 6
caps1_n_caps = caps1_n_maps * 2 * 2

X = tf.placeholder(shape=[None, 8, 8, 1], dtype=tf.float32, name="X")
y = tf.placeholder(shape=[None], dtype=tf.int64, name="y")
conv1 = tf.layers.conv2d(X, name="conv1", filters=8, kernel_size=3, strides=1,
                         padding="valid", activation=tf.nn.relu)
conv2 = tf.layers.conv2d(conv1, name="conv2", filters=caps1_n_maps * caps1_n_dims,
                         kernel_size=3, strides=2, padding="valid",
                         activation=tf.nn.relu)
caps1_raw = tf.reshape(conv2, [-1, caps1_n_caps, caps1_n_dims], name="caps1_raw")
caps1_output = squash(caps1_raw, name="caps1_output")

W_init = tf.random_normal(shape=(1, caps1_n_caps, caps2_n_caps, caps2_n_dims,
                                 caps1_n_dims), stddev=0.1, dtype=tf.float32,
                          name="W_init")
W = tf.Variable(W_init, name="W")
batch_size = tf.shape(X)[0]
W_tiled = tf.tile(W, [batch_size, 1, 1, 1, 1], name="W_tiled")
caps1_output_expanded = tf.expand_dims(caps1_output, -1, name="caps1_output_expanded")
caps1_output_tile = tf.expand_dims(caps1_output_expanded, 2, name="caps1_output_tile")
caps1_output_tiled = tf.tile(caps1_output_tile, [1, 1, caps2_n_caps, 1, 1],
                             name="caps1_output_tiled")
caps2_predicted = tf.matmul(W_tiled, caps1_output_tiled, name="caps2_predicted")
print(W_tiled, caps1_output_tiled, caps2_predicted, sep="\n")

raw_weights = tf.zeros([batch_size, caps1_n_caps, caps2_n_caps, 1, 1],
                       dtype=np.float32, name="raw_weights")


def condition(weights, counter):
    return tf.less(counter, 3)


def loop_body(weights, counter):
    routing_weights = tf.nn.softmax(weights, dim=2, name="routing_weights")
    weighted_sum = tf.reduce_sum(routing_weights * caps2_predicted, axis=1,
                                 keep_dims=True)
    output = squash(weighted_sum, axis=-2)
    output_tiled = tf.tile(output, [1, caps1_n_caps, 1, 1, 1])
    agreement = tf.matmul(caps2_predicted, output_tiled, transpose_a=True)
    return weights + agreement, tf.add(counter, 1)


with tf.name_scope("compute_caps2_output"):
    weights, counter = tf.while_loop(condition, loop_body,
                                     [raw_weights, tf.constant(1)], swap_memory=True)
    routing_weights = tf.nn.softmax(weights, axis=2)
    caps2_output = squash(tf.reduce_sum(routing_weights * caps2_predicted, axis=1,
                                        keepdims=True), axis=-2, name="caps2_output")
y_proba = safe_norm(caps2_output, axis=-2, name="y_proba")
y_proba_argmax = tf.argmax(y_proba, axis=2, name="y_proba")
y_pred = tf.squeeze(y_proba_argmax, axis=[1, 2], name="y_pred")
print(y_proba_argmax, y_pred, sep="\n")

T = tf.one_hot(y, depth=caps2_n_caps, name="T")
caps2_norm = tf.reshape(safe_norm(caps2_output, axis=-2), [-1, caps2_n_caps])
present_error = tf.square(tf.maximum(0., 0.9 - caps2_norm))
absent_error = tf.square(tf.maximum(0., caps2_norm - 0.1))
L = tf.add(T * present_error, 0.5 * (1.0 - T) * absent_error, name="L")
margin_loss = tf.reduce_mean(tf.reduce_sum(L, axis=1), name="margin_loss")

mask_with_labels = tf.placeholder_with_default(False, shape=(), name="mask_with_labels")
targets = tf.cond(mask_with_labels, lambda: y, lambda: y_pred, name="targets")
mask = tf.reshape(tf.one_hot(targets, caps2_n_caps), [-1, 1, caps2_n_caps, 1, 1])
decoder_input = tf.reshape(tf.multiply(caps2_output, mask),
                           [-1, caps2_n_caps * caps2_n_dims])
with tf.name_scope("decoder"):
    hidden = tf.layers.dense(decoder_input, 20, activation=tf.nn.elu, name="hidden")
    decoded = tf.layers.dense(hidden, 64, activation=tf.nn.sigmoid, name="decoded")
error = tf.reduce_mean(tf.squared_difference(tf.layers.flatten(X), decoded))
loss = tf.add(margin_loss, 0.0005 * error, name="loss")
training_op = tf.train.AdamOptimizer(0.003).minimize(loss, name="training_op")
print(training_op.name)

labels = np.random.randint(0, 3, 30)
data = (np.random.rand(3, 8, 8, 1)[labels] + 0.1 * np.random.randn(30, 8, 8, 1))
with tf.Session() as sess:
    tf.global_variables_initializer().run()
    for step in range(8):
        _, value = sess.run([training_op, loss], feed_dict={
            X: data, y: labels, mask_with_labels: True})
        print("step {} loss {:.5f}".format(step, value))
    proba, count = sess.run([y_proba, counter], {X: data[:2], y: labels[:2]})
    print(proba.shape, count, proba[0, 0, :, 0])
