# What candidate samplers draw for a seeded graph, and the losses that use them.
import numpy as np
import tensorflow as tf

np.set_printoptions(precision=5, suppress=True, linewidth=100)
tf.set_random_seed(5)
classes = tf.constant([[1], [3]], tf.int64)
names, draws = [], []
for unique in (True, False):
    names += ["log_uniform", "uniform", "uniform of 64", "learned", "fixed", "fixed 2"]
    draws += [
        tf.nn.log_uniform_candidate_sampler(classes, 1, 8, unique, 50),
        tf.nn.uniform_candidate_sampler(classes, 1, 8, unique, 50, seed=3),
        tf.nn.uniform_candidate_sampler(classes, 1, 8, unique, 64),
        tf.nn.learned_unigram_candidate_sampler(classes, 1, 8, unique, 10),
        tf.nn.fixed_unigram_candidate_sampler(
            classes, 1, 5, unique, 10, unigrams=list(range(1, 11)), distortion=0.75),
        tf.nn.fixed_unigram_candidate_sampler(
            classes, 1, 3, unique, 5, unigrams=[3., 2., 1.], num_reserved_ids=2),
    ]
weights, biases = tf.random_normal([50, 4]), tf.zeros([50])
inputs = tf.random_normal([2, 4])
nce = tf.nn.nce_loss(weights, biases, classes, inputs, 8, 50)
soft = tf.nn.sampled_softmax_loss(weights, biases, classes, inputs, 8, 50)
after = tf.random_normal([2])
print(nce)
print(soft)

with tf.Session() as sess:
    for _ in range(2):
        for name, draw in zip(names, draws):
            sampled, true_count, sampled_count = sess.run(draw)
            print(name, sampled, true_count.ravel(), sampled_count)
        print(*sess.run([nce, soft, after]))
