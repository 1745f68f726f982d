# Nearest neighbours and k-means in raw TensorFlow ops.
from __future__ import print_function

import numpy as np
import tensorflow as tf

rng = np.random.RandomState(4)
centers = np.array([[0., 0.], [4., 4.], [0., 5.]])
Ytr = rng.randint(0, 3, 60)
Xtr = (centers[Ytr] + rng.randn(60, 2)).astype(np.float32)
Yte = rng.randint(0, 3, 12)
Xte = (centers[Yte] + rng.randn(12, 2)).astype(np.float32)

xtr = tf.placeholder("float", [None, 2])
xte = tf.placeholder("float", [2])
distance = tf.reduce_sum(tf.abs(tf.add(xtr, tf.negative(xte))), reduction_indices=1)
pred = tf.arg_min(distance, 0)
top_values, top_indices = tf.nn.top_k(tf.negative(distance), k=5)
accuracy = 0.
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(len(Xte)):
        nn_index, near = sess.run([pred, top_indices], {xtr: Xtr, xte: Xte[i, :]})
        vote = np.bincount(Ytr[near]).argmax()
        if i < 4:
            print("Test", i, "Prediction:", Ytr[nn_index], vote, "True Class:", Yte[i])
        accuracy += (vote == Yte[i]) / 12.
print("Accuracy: %.3f" % accuracy)

points = tf.constant(Xtr)
centroids = tf.Variable(tf.slice(points, [0, 0], [3, -1]))
assignments = tf.Variable(tf.zeros([60], dtype=tf.int64))
expanded = tf.expand_dims(points, 0) - tf.expand_dims(centroids, 1)
distances = tf.reduce_sum(tf.square(expanded), 2)
best = tf.argmin(distances, 0)
did_change = tf.reduce_any(tf.not_equal(best, assignments))
means = tf.unsorted_segment_sum(points, best, 3) / tf.unsorted_segment_sum(
    tf.ones([60, 1]), best, 3)
with tf.control_dependencies([did_change, means]):
    do_updates = tf.group(centroids.assign(means), assignments.assign(best))
print(distances, means, do_updates.type, sep='\n')
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    changed, iters = True, 0
    while changed and iters < 20:
        iters += 1
        changed, _ = sess.run([did_change, do_updates])
    found = sess.run(centroids)
    print("Converged", not changed, found[np.lexsort(found.T)].round(3))
    print(np.sort(np.bincount(sess.run(assignments), minlength=3)))
