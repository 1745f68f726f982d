"""
A vanilla RNN on characters, unrolled by hand with reused variables, after the
well-known hundred lines; and the same with tf.nn.static_rnn.
"""
import numpy as np
import tensorflow as tf

np.random.seed(0)
tf.set_random_seed(0)

data = "hello world, hold the door! " * 10
chars = sorted(list(set(data)))
data_size, vocab_size = len(data), len(chars)
print('Data has %d characters, %d unique.' % (data_size, vocab_size))
char_to_ix = {ch: i for i, ch in enumerate(chars)}
ix_to_char = {i: ch for i, ch in enumerate(chars)}

hidden_size = 24
seq_length = 12
learning_rate = 1e-1


def one_hot(v):
    return np.eye(vocab_size)[v]


inputs = tf.placeholder(shape=[None, vocab_size], dtype=tf.float32, name="inputs")
targets = tf.placeholder(shape=[None, vocab_size], dtype=tf.float32, name="targets")
init_state = tf.placeholder(shape=[1, hidden_size], dtype=tf.float32, name="state")

initializer = tf.random_normal_initializer(stddev=0.1)

with tf.variable_scope("RNN") as scope:
    hs_t = init_state
    ys = []
    for t, xs_t in enumerate(tf.split(inputs, seq_length, axis=0)):
        if t > 0:
            scope.reuse_variables()
        Wxh = tf.get_variable("Wxh", [vocab_size, hidden_size], initializer=initializer)
        Whh = tf.get_variable("Whh", [hidden_size, hidden_size], initializer=initializer)
        Why = tf.get_variable("Why", [hidden_size, vocab_size], initializer=initializer)
        bh = tf.get_variable("bh", [hidden_size], initializer=initializer)
        by = tf.get_variable("by", [vocab_size], initializer=initializer)
        hs_t = tf.tanh(tf.matmul(xs_t, Wxh) + tf.matmul(hs_t, Whh) + bh)
        ys_t = tf.matmul(hs_t, Why) + by
        ys.append(ys_t)

hprev = hs_t
print(hprev.name, hprev.shape)
output_softmax = tf.nn.softmax(ys[-1])
outputs = tf.concat(ys, axis=0)
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=targets, logits=outputs))

minimizer = tf.train.AdamOptimizer(learning_rate=0.01)
grads_and_vars = minimizer.compute_gradients(loss)
grad_clipping = tf.constant(5.0, name="grad_clipping")
clipped = []
for grad, var in grads_and_vars:
    clipped.append((tf.clip_by_value(grad, -grad_clipping, grad_clipping), var))
updates = minimizer.apply_gradients(clipped)
print([v.name for _, v in clipped])

# the same cell from the library, with the weights above
cell = tf.nn.rnn_cell.BasicRNNCell(hidden_size)
steps = tf.split(inputs, seq_length, axis=0)
static_outputs, static_state = tf.nn.static_rnn(cell, steps, initial_state=init_state)
copy = tf.group(cell.variables[0].assign(tf.concat([Wxh, Whh], 0)),
                cell.variables[1].assign(bh), name="copy")
difference = tf.reduce_max(tf.abs(static_state - hprev))

sess = tf.Session()
sess.run(tf.global_variables_initializer())
n, p = 0, 0
hprev_val = np.zeros([1, hidden_size])
while n < 80:
    if p + seq_length + 1 >= len(data) or n == 0:
        hprev_val = np.zeros([1, hidden_size])
        p = 0
    input_vals = one_hot([char_to_ix[ch] for ch in data[p:p + seq_length]])
    target_vals = one_hot([char_to_ix[ch] for ch in data[p + 1:p + seq_length + 1]])
    feed = {inputs: input_vals, targets: target_vals, init_state: hprev_val}
    hprev_val, loss_val, _ = sess.run([hprev, loss, updates], feed_dict=feed)
    if n < 4:
        print('iter: %d, p: %d, loss: %.5f' % (n, p, loss_val))
    elif n % 20 == 19:
        print('iter: %d, p: %d, loss: %.2f' % (n, p, loss_val))
    p += seq_length
    n += 1

sess.run(copy)
print("library differs by less than 1e-6:", sess.run(difference, feed) < 1e-6)

window = data[:seq_length]
state = np.zeros([1, hidden_size])
out = ""
for _ in range(16):
    probs = sess.run(output_softmax, {inputs: one_hot([char_to_ix[c] for c in window]),
                                      init_state: state})
    ix = np.argmax(probs.ravel())
    out += ix_to_char[ix]
    window = window[1:] + ix_to_char[ix]
print("sampled", len(out), repr(out[:3]))
