# Logistic regression and matrix factorisation with biases and embeddings.
import numpy as np
import tensorflow as tf

np.random.seed(14)
tf.set_random_seed(14)

with tf.Graph().as_default():
    x_data = np.random.rand(80, 3)
    y_data = (x_data.dot([2., -3., 1.]) > 0.2).astype(np.float32)[:, None]
    X = tf.placeholder(tf.float32, shape=[None, 3])
    Y = tf.placeholder(tf.float32, shape=[None, 1])
    W = tf.Variable(tf.random_normal([3, 1], seed=1), name='weight')
    b = tf.Variable(tf.random_normal([1], seed=2), name='bias')
    hypothesis = tf.sigmoid(tf.matmul(X, W) + b)
    cost = -tf.reduce_mean(Y * tf.log(hypothesis) + (1 - Y) * tf.log(1 - hypothesis))
    train = tf.train.GradientDescentOptimizer(learning_rate=0.5).minimize(cost)
    predicted = tf.cast(hypothesis > 0.5, dtype=tf.float32)
    accuracy = tf.reduce_mean(tf.cast(tf.equal(predicted, Y), dtype=tf.float32))
    auc, update = tf.metrics.auc(Y, hypothesis)
    with tf.Session() as sess:
        sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        for step in range(101):
            cost_val, _ = sess.run([cost, train], feed_dict={X: x_data, Y: y_data})
            if step % 25 == 0:
                print(step, '%.5f' % cost_val)
        a, _ = sess.run([accuracy, update], feed_dict={X: x_data, Y: y_data})
        print('Accuracy: %.4f' % a, 'auc %.4f' % sess.run(auc), sess.run(W).ravel())

USERS, ITEMS, DIM = 12, 9, 3
users = np.random.randint(0, USERS, 150)
items = np.random.randint(0, ITEMS, 150)
ratings = ((users % 3) + (items % 3) + 0.1 * np.random.randn(150)).astype(np.float32)
user = tf.placeholder(tf.int32, [None], 'user')
item = tf.placeholder(tf.int32, [None], 'item')
rating = tf.placeholder(tf.float32, [None], 'rating')
init = tf.truncated_normal_initializer(stddev=0.3, seed=5)
bias_global = tf.get_variable('bias_global', shape=[])
w_user = tf.get_variable('embd_user', [USERS, DIM], initializer=init)
w_item = tf.get_variable('embd_item', [ITEMS, DIM], initializer=init)
b_user = tf.get_variable('bias_user', [USERS], initializer=tf.zeros_initializer())
b_item = tf.get_variable('bias_item', [ITEMS], initializer=tf.zeros_initializer())
eu, ei = tf.nn.embedding_lookup(w_user, user), tf.nn.embedding_lookup(w_item, item)
infer = tf.reduce_sum(eu * ei, 1) + bias_global
infer += tf.nn.embedding_lookup(b_user, user) + tf.gather(b_item, item)
regularizer = tf.nn.l2_loss(eu) + tf.nn.l2_loss(ei)
loss = tf.nn.l2_loss(infer - rating) + 0.05 * regularizer
step = tf.train.get_or_create_global_step()
train = tf.train.FtrlOptimizer(0.3).minimize(loss, global_step=step)
print(type(tf.gradients(loss, w_user)[0]).__name__)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(5):
        for lo in range(0, 150, 50):
            part = slice(lo, lo + 50)
            feed = {user: users[part], item: items[part], rating: ratings[part]}
            sess.run(train, feed)
        found = sess.run(infer, {user: users, item: items})
        print('%d rmse %.4f' % (sess.run(step), np.sqrt(np.mean((found - ratings) ** 2))))
