# A sequence tagger: a bidirectional LSTM with a conditional random field on top.
import numpy as np
import tensorflow as tf

tf.set_random_seed(31)
rng = np.random.RandomState(31)
num_examples, num_words, num_features, num_tags = 10, 12, 8, 4

x = rng.rand(num_examples, num_words, num_features).astype(np.float32)
y = np.zeros((num_examples, num_words), np.int32)
for i in range(num_examples):
    for j in range(num_words):  # the tag depends on the word and on the tag before
        y[i, j] = (int(x[i, j, 0] > 0.5) + (y[i, j - 1] if j else 0)) % num_tags
sequence_lengths = np.full(num_examples, num_words - 1, dtype=np.int32)
sequence_lengths[::3] -= 4

x_t = tf.constant(x)
y_t = tf.constant(y)
sequence_lengths_t = tf.constant(sequence_lengths)

with tf.variable_scope("bi-lstm"):
    cell_fw = tf.contrib.rnn.LSTMCell(6)
    cell_bw = tf.contrib.rnn.LSTMCell(6)
    (output_fw_seq, output_bw_seq), _ = tf.nn.bidirectional_dynamic_rnn(
        cell_fw=cell_fw, cell_bw=cell_bw, inputs=x_t, sequence_length=sequence_lengths_t,
        dtype=tf.float32)
    output = tf.concat([output_fw_seq, output_bw_seq], axis=-1)
with tf.variable_scope("proj"):
    weights = tf.get_variable("W", [12, num_tags], initializer=tf.contrib.layers.xavier_initializer())
    b = tf.get_variable("b", [num_tags], initializer=tf.zeros_initializer())
    flat = tf.reshape(output, [-1, 12])
    unary_scores = tf.reshape(tf.matmul(flat, weights) + b, [-1, num_words, num_tags])

log_likelihood, transition_params = tf.contrib.crf.crf_log_likelihood(
    unary_scores, y_t, sequence_lengths_t)
viterbi_sequence, viterbi_score = tf.contrib.crf.crf_decode(
    unary_scores, transition_params, sequence_lengths_t)
loss = tf.reduce_mean(-log_likelihood)
sequence_score = tf.contrib.crf.crf_sequence_score(
    unary_scores, y_t, sequence_lengths_t, transition_params)
log_norm = tf.contrib.crf.crf_log_norm(unary_scores, sequence_lengths_t, transition_params)
train_op = tf.train.AdamOptimizer(0.05).minimize(loss)

print(transition_params)
print(viterbi_sequence)
print(viterbi_score)
print(log_likelihood.shape)

mask = (np.expand_dims(np.arange(num_words), axis=0) <
        np.expand_dims(sequence_lengths, axis=1))
total_labels = np.sum(sequence_lengths)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print("scores", session.run(sequence_score)[:3], "norms", session.run(log_norm)[:3])
    for i in range(40):
        tf_viterbi_sequence, loss_value, _ = session.run([viterbi_sequence, loss, train_op])
        if i < 4:
            correct = np.sum((y == tf_viterbi_sequence) * mask)
            print("step %d loss %.5f accuracy: %.2f%%" % (i, loss_value, 100.0 * correct / total_labels))
    print("loss after training %.1f" % loss_value)
    # decode the first sequence in NumPy
    scores, transitions = session.run([unary_scores, transition_params])
    path, score = tf.contrib.crf.viterbi_decode(scores[0][:sequence_lengths[0]], transitions)
    decoded = session.run(viterbi_sequence)[0][:sequence_lengths[0]]
    print("the same path:", list(decoded) == path, "%d tags" % len(path))
