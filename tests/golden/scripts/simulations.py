# Mandelbrot's set, ripples on a pond and the game of life as in the old tutorials.
import numpy as np
import tensorflow as tf

sess = tf.InteractiveSession()

# ---- Mandelbrot
Y, X = np.mgrid[-1.3:1.3:0.2, -2:1:0.1]
Z = X + 1j * Y
xs = tf.constant(Z.astype(np.complex64))
zs = tf.Variable(xs)
ns = tf.Variable(tf.zeros_like(xs, tf.float32))
tf.global_variables_initializer().run()
zs_ = zs * zs + xs
not_diverged = tf.abs(zs_) < 4
step = tf.group(zs.assign(zs_), ns.assign_add(tf.cast(not_diverged, tf.float32)))
for i in range(12):
    step.run()
for row in ns.eval()[::2]:
    print("".join(".:-=+*#%@"[int(n) * 8 // 12] for n in row))


# ---- ripples
def make_kernel(a):
    a = np.asarray(a)
    a = a.reshape(list(a.shape) + [1, 1])
    return tf.constant(a, dtype=1)


def simple_conv(x, k):
    x = tf.expand_dims(tf.expand_dims(x, 0), -1)
    y = tf.nn.depthwise_conv2d(x, k, [1, 1, 1, 1], padding='SAME')
    return y[0, :, :, 0]


def laplace(x):
    return simple_conv(x, make_kernel([[0.5, 1.0, 0.5], [1.0, -6., 1.0], [0.5, 1.0, 0.5]]))


N = 24
rng = np.random.RandomState(3)
u_init, ut_init = np.zeros([N, N], dtype=np.float32), np.zeros([N, N], dtype=np.float32)
for n in range(6):
    a, b = rng.randint(0, N, 2)
    u_init[a, b] = rng.rand()
eps = tf.placeholder(tf.float32, shape=())
damping = tf.placeholder(tf.float32, shape=())
U, Ut = tf.Variable(u_init), tf.Variable(ut_init)
U_ = U + eps * Ut
Ut_ = Ut + eps * (laplace(U) - damping * Ut)
with tf.control_dependencies([U_, Ut_]):
    step = tf.group(U.assign(U_), Ut.assign(Ut_))
tf.initialize_all_variables().run()
for i in range(40):
    step.run({eps: 0.03, damping: 0.04})
    if i % 10 == 9:
        print("ripples %d: %.5f %.5f" % (i, U.eval().max(), np.abs(Ut.eval()).sum()))
print(U)

# ---- life, in a while loop with a TensorArray of the populations
board = np.zeros((8, 8), np.int32)
for r, c in [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)]:
    board[r, c] = 1


def generation(cells):
    padded = tf.concat([cells[-1:], cells, cells[:1]], 0)
    padded = tf.concat([padded[:, -1:], padded, padded[:, :1]], 1)
    image = tf.to_float(padded)[tf.newaxis, :, :, tf.newaxis]
    around = tf.nn.conv2d(image, tf.ones([3, 3, 1, 1]), [1, 1, 1, 1], "VALID")
    neighbours = tf.to_int32(tf.squeeze(around)) - cells
    alive = tf.logical_or(tf.equal(neighbours, 3),
                          tf.logical_and(tf.equal(neighbours, 2), tf.equal(cells, 1)))
    return tf.where(alive, tf.ones_like(cells), tf.zeros_like(cells))


def body(i, cells, log):
    cells = generation(cells)
    cells.set_shape([8, 8])
    return i + 1, cells, log.write(i, tf.reduce_sum(cells * tf.reshape(tf.range(64), [8, 8])))


log = tf.TensorArray(tf.int32, 8)
_, last, log = tf.while_loop(lambda i, *_: i < 8, body, [0, tf.constant(board), log])
final, sums = sess.run([last, log.stack()])
print("\n".join("".join(".o"[v] for v in row) for row in final))
print(sums, tf.get_default_graph().get_operations()[0].name)
sess.close()
