# Sentiment of sequences: a bidirectional LSTM with attention over its outputs.
import numpy as np
import tensorflow as tf
from tensorflow.contrib.rnn import BasicLSTMCell
from tensorflow.python.ops.rnn import bidirectional_dynamic_rnn as bi_rnn

NUM_WORDS = 50
SEQUENCE_LENGTH = 12
EMBEDDING_DIM = 8
HIDDEN_SIZE = 10
ATTENTION_SIZE = 7
KEEP_PROB = 0.8
BATCH_SIZE = 16


def attention(inputs, attention_size, time_major=False, return_alphas=False):
    if isinstance(inputs, tuple):
        # the outputs of both directions
        inputs = tf.concat(inputs, 2)
    if time_major:
        inputs = tf.array_ops.transpose(inputs, [1, 0, 2])
    hidden_size = inputs.shape[2].value
    w_omega = tf.Variable(tf.random_normal([hidden_size, attention_size], stddev=0.1))
    b_omega = tf.Variable(tf.random_normal([attention_size], stddev=0.1))
    u_omega = tf.Variable(tf.random_normal([attention_size], stddev=0.1))
    with tf.name_scope('v'):
        v = tf.tanh(tf.tensordot(inputs, w_omega, axes=1) + b_omega)
    vu = tf.tensordot(v, u_omega, axes=1, name='vu')
    alphas = tf.nn.softmax(vu, name='alphas')
    output = tf.reduce_sum(inputs * tf.expand_dims(alphas, -1), 1)
    return (output, alphas) if return_alphas else output


def make_data(n, seed):
    rng = np.random.RandomState(seed)
    x = np.zeros((n, SEQUENCE_LENGTH), np.int32)
    y = np.zeros(n, np.float32)
    for i in range(n):
        length = 4 + rng.randint(SEQUENCE_LENGTH - 4)
        x[i, :length] = 10 + rng.randint(NUM_WORDS - 10, size=length)
        y[i] = rng.randint(2)
        x[i, rng.randint(length)] = 1 + rng.randint(4) + 4 * int(y[i])
    return x, y


def batch_generator(X, y, batch_size, seed=1):
    rng = np.random.RandomState(seed)
    order = np.arange(X.shape[0])
    while True:
        rng.shuffle(order)
        for i in range(0, len(order) - batch_size + 1, batch_size):
            yield X[order[i:i + batch_size]], y[order[i:i + batch_size]]


X_train, y_train = make_data(160, 0)
X_test, y_test = make_data(48, 1)
lengths = lambda x: np.array([list(row).index(0) if 0 in row else len(row) for row in x])

tf.set_random_seed(77)
with tf.name_scope('Inputs'):
    batch_ph = tf.placeholder(tf.int32, [None, SEQUENCE_LENGTH], name='batch_ph')
    target_ph = tf.placeholder(tf.float32, [None], name='target_ph')
    seq_len_ph = tf.placeholder(tf.int32, [None], name='seq_len_ph')
    keep_prob_ph = tf.placeholder(tf.float32, name='keep_prob_ph')
with tf.name_scope('Embedding_layer'):
    embeddings_var = tf.Variable(tf.random_uniform([NUM_WORDS, EMBEDDING_DIM], -1.0, 1.0), trainable=True)
    tf.summary.histogram('embeddings_var', embeddings_var)
    batch_embedded = tf.nn.embedding_lookup(embeddings_var, batch_ph)
rnn_outputs, final = bi_rnn(BasicLSTMCell(HIDDEN_SIZE), BasicLSTMCell(HIDDEN_SIZE),
                            inputs=batch_embedded, sequence_length=seq_len_ph, dtype=tf.float32)
print(rnn_outputs[0].name, rnn_outputs[1].name)
print(final[1].c)
with tf.name_scope('Attention_layer'):
    attention_output, alphas = attention(rnn_outputs, ATTENTION_SIZE, return_alphas=True)
    tf.summary.histogram('alphas', alphas)
drop = tf.nn.dropout(attention_output, keep_prob_ph)
with tf.name_scope('Fully_connected_layer'):
    W = tf.Variable(tf.truncated_normal([HIDDEN_SIZE * 2, 1], stddev=0.1))
    b = tf.Variable(tf.constant(0., shape=[1]))
    y_hat = tf.squeeze(tf.nn.xw_plus_b(drop, W, b))
with tf.name_scope('Metrics'):
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=y_hat, labels=target_ph))
    optimizer = tf.train.AdamOptimizer(learning_rate=2e-2).minimize(loss)
    accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.round(tf.sigmoid(y_hat)), target_ph), tf.float32))
for v in tf.trainable_variables():
    print(v.name, v.shape)
print(alphas, drop, y_hat, sep="\n")

train_batches = batch_generator(X_train, y_train, BATCH_SIZE)
with tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))) as sess:
    sess.run(tf.global_variables_initializer())
    average = 0.69
    for step in range(60):
        x_batch, y_batch = next(train_batches)
        loss_tr, acc, _ = sess.run([loss, accuracy, optimizer], feed_dict={
            batch_ph: x_batch, target_ph: y_batch, seq_len_ph: lengths(x_batch), keep_prob_ph: KEEP_PROB})
        average = loss_tr * 0.1 + average * 0.9
        if step < 3:
            print("step %d: loss %.5f, accuracy %.4f" % (step, loss_tr, acc))
        elif step % 20 == 19:
            print("step %d: average loss %.2f" % (step, average))
    feed = {batch_ph: X_test, target_ph: y_test, seq_len_ph: lengths(X_test), keep_prob_ph: 1.0}
    weights, acc = sess.run([alphas, accuracy], feed)
    print("test accuracy %.2f" % acc)
    sharp = np.argmax(weights, 1)
    marked = X_test[np.arange(len(sharp)), sharp] < 10
    print("attends to the marked word: %.2f" % marked.mean(), weights.sum(1)[:3].round(4))
