# A recursive network over binary trees of arithmetic, by tf.while_loop and TensorArray.
from __future__ import print_function
import numpy as np
import tensorflow as tf

tf.set_random_seed(4)
rng = np.random.RandomState(4)
SIZE = 6


def random_tree(depth):
    """(list of (is_leaf, word, left, right), value) of signs that are multiplied."""
    if depth == 0 or rng.rand() < 0.3:
        word = rng.randint(2)
        return [(True, word, -1, -1)], 2 * word - 1
    left, a = random_tree(depth - 1)
    right, b = random_tree(depth - 1)
    moved = [(leaf, w, l + len(left) if l >= 0 else -1, r + len(left) if r >= 0 else -1)
             for leaf, w, l, r in right]
    nodes = left + moved
    return nodes + [(False, 0, len(left) - 1, len(nodes) - 1)], a * b


is_leaf = tf.placeholder(tf.bool, [None], name="is_leaf")
words = tf.placeholder(tf.int32, [None], name="words")
lefts = tf.placeholder(tf.int32, [None], name="left_children")
rights = tf.placeholder(tf.int32, [None], name="right_children")
label = tf.placeholder(tf.int32, [], name="label")

with tf.variable_scope("Embeddings"):
    embeddings = tf.get_variable("embeddings", [2, SIZE])
with tf.variable_scope("Composition"):
    W1 = tf.get_variable("W1", [2 * SIZE, SIZE])
    b1 = tf.get_variable("b1", [1, SIZE], initializer=tf.constant_initializer(0.1))
    B = tf.get_variable("B", [SIZE, SIZE, SIZE], initializer=tf.random_normal_initializer(stddev=0.3))
with tf.variable_scope("Projection"):
    U = tf.get_variable("U", [SIZE, 2])
    bs = tf.get_variable("bs", [1, 2], initializer=tf.zeros_initializer())

tensors = tf.TensorArray(tf.float32, size=0, dynamic_size=True, clear_after_read=False, infer_shape=False)


def embed_word(word_index):
    with tf.device("/cpu:0"):
        return tf.expand_dims(tf.gather(embeddings, word_index), 0)


def combine_children(left, right):
    pair = tf.concat([left, right], 1)
    rows = tf.reshape(tf.matmul(left, tf.reshape(B, [SIZE, -1])), [SIZE, SIZE])
    bilinear = tf.reshape(tf.matmul(rows, right, transpose_a=True, transpose_b=True), [1, SIZE])
    return tf.tanh(tf.matmul(pair, W1) + bilinear + b1)


def loop_body(tensors, i):
    node_tensor = tf.cond(
        tf.gather(is_leaf, i),
        lambda: embed_word(tf.gather(words, i)),
        lambda: combine_children(tensors.read(tf.gather(lefts, i)), tensors.read(tf.gather(rights, i))))
    return tensors.write(i, node_tensor), tf.add(i, 1)


loop_cond = lambda tensors, i: tf.less(i, tf.squeeze(tf.shape(is_leaf)))
tensors, count = tf.while_loop(loop_cond, loop_body, [tensors, 0], parallel_iterations=1)
root = tensors.read(tf.subtract(count, 1))
root.set_shape([1, SIZE])
logits = tf.matmul(root, U) + bs
all_logits = tf.matmul(tensors.concat(), U) + bs
regularization = 0.001 * (tf.nn.l2_loss(W1) + tf.nn.l2_loss(U))
loss = regularization + tf.reduce_sum(
    tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=tf.expand_dims(label, 0)))
train_op = tf.train.GradientDescentOptimizer(0.2).minimize(loss)
print(root)
print(logits)
print(all_logits.shape.ndims)

trees = [random_tree(3) for _ in range(24)]
print("sizes", [len(nodes) for nodes, _ in trees[:10]])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(4):
        losses = []
        for nodes, value in trees:
            leaf, word, left, right = zip(*nodes)
            feed = {is_leaf: leaf, words: word, lefts: left, rights: right, label: int(value > 0)}
            l, _ = sess.run([loss, train_op], feed)
            losses.append(l)
        if epoch == 0:
            print("first losses", " ".join("%.4f" % x for x in losses[:5]))
        print("epoch %d mean loss %.1f" % (epoch, np.mean(losses)))
    print(sess.run(all_logits, feed).shape == (len(nodes), 2), sess.run(count, feed) == len(nodes))
