# CTC: sparse labels, greedy and beam decoders, edit distance, on invented utterances.
from __future__ import print_function
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(3)
FEATURES, HIDDEN, CLASSES = 6, 14, 5 + 1  # four letters, a space and the blank
LETTERS = "abcd "


def sparse_tuple_from(sequences, dtype=np.int32):
    indices, values = [], []
    for n, seq in enumerate(sequences):
        indices.extend(zip([n] * len(seq), range(len(seq))))
        values.extend(seq)
    shape = [len(sequences), np.asarray(indices).max(0)[1] + 1]
    return np.asarray(indices, np.int64), np.asarray(values, dtype), np.asarray(shape, np.int64)


def utterance():
    text = [rng.randint(5) for _ in range(2 + rng.randint(3))]
    frames = []
    for letter in text:
        for _ in range(2 + rng.randint(2)):
            frame = 0.1 * rng.randn(FEATURES)
            frame[letter] += 1
            frames.append(frame)
    return np.array(frames), text


def batch(n=6):
    pairs = [utterance() for _ in range(n)]
    lengths = np.array([len(f) for f, _ in pairs], np.int32)
    inputs = np.zeros((n, lengths.max(), FEATURES), np.float32)
    for i, (f, _) in enumerate(pairs):
        inputs[i, :len(f)] = f
    return inputs, lengths, [t for _, t in pairs]


graph = tf.Graph()
with graph.as_default():
    tf.set_random_seed(3)
    inputs = tf.placeholder(tf.float32, [None, None, FEATURES])
    targets = tf.sparse_placeholder(tf.int32)
    seq_len = tf.placeholder(tf.int32, [None])
    cells = [tf.contrib.rnn.LSTMCell(HIDDEN, state_is_tuple=True) for _ in range(1)]
    stack = tf.contrib.rnn.MultiRNNCell(cells, state_is_tuple=True)
    outputs, _ = tf.nn.dynamic_rnn(stack, inputs, seq_len, dtype=tf.float32)
    shape = tf.shape(inputs)
    batch_s, max_timesteps = shape[0], shape[1]
    outputs = tf.reshape(outputs, [-1, HIDDEN])
    W = tf.Variable(tf.truncated_normal([HIDDEN, CLASSES], stddev=0.1, seed=1))
    b = tf.Variable(tf.constant(0., shape=[CLASSES]))
    logits = tf.reshape(tf.matmul(outputs, W) + b, [batch_s, -1, CLASSES])
    logits = tf.transpose(logits, (1, 0, 2))
    loss = tf.nn.ctc_loss(targets, logits, seq_len)
    cost = tf.reduce_mean(loss)
    optimizer = tf.train.MomentumOptimizer(0.05, 0.9, use_nesterov=True).minimize(cost)
    decoded, log_prob = tf.nn.ctc_greedy_decoder(logits, seq_len)
    beams, beam_log = tf.nn.ctc_beam_search_decoder(logits, seq_len, beam_width=10, top_paths=2)
    distances = tf.edit_distance(tf.cast(decoded[0], tf.int32), targets)
    ler = tf.reduce_mean(distances)
    dense_decoded = tf.sparse_tensor_to_dense(decoded[0], default_value=-1)
    print(loss, decoded[0], log_prob, beams[1].dense_shape, distances, sep="\n")

with tf.Session(graph=graph) as session:
    tf.global_variables_initializer().run()
    for step in range(60):
        x, lengths, texts = batch()
        feed = {inputs: x, targets: sparse_tuple_from(texts), seq_len: lengths}
        c, l, _ = session.run([cost, ler, optimizer], feed)
        if step < 4:
            print("step %d cost = %.4f, ler = %.3f" % (step, c, l))
        elif step % 20 == 19:
            print("step %d cost = %.1f" % (step, c))
    d, p, s, bl = session.run([dense_decoded, log_prob, beams[0], beam_log], feed)
    print("decoded", d.dtype, d.shape[0], "paths", bl.shape, bool((bl[:, 0] >= bl[:, 1]).all()))
    print("best path at least as likely as the greedy one:", bool((bl[:, 0] >= -p[:, 0] - 1e-3).all()))
