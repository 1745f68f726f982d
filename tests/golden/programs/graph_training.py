# --- gradient descent
x = tf.placeholder(tf.float32, [None, 2], name="x")
y = tf.placeholder(tf.float32, [None, 1], name="y")
w = tf.get_variable("w", initializer=[[0.5], [-0.5]])
b = tf.get_variable("b", initializer=[0.1])
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
show(train)
feed = {x: [[1.0, 2.0], [3.0, 4.0], [0.5, -1.0]], y: [[1.0], [2.0], [3.0]]}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show([sess.run([loss, train], feed)[0] for _ in range(5)], sess.run([w, b]))
# --- momentum
w = tf.Variable([1.0, 2.0], name="w")
opt = tf.train.MomentumOptimizer(0.1, 0.9)
train = opt.minimize(tf.reduce_sum(w * w * w))
show(train, opt.get_slot_names(), opt.get_slot(w, "momentum"), tf.global_variables())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show([(sess.run(train), sess.run(w))[1] for _ in range(5)], sess.run(opt.get_slot(w, "momentum")))
# --- nesterov
w = tf.Variable([1.0, 2.0], name="w")
train = tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True).minimize(tf.reduce_sum(w * w))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show([(sess.run(train), sess.run(w))[1] for _ in range(5)])
# --- adam
w = tf.get_variable("w", initializer=[1.0, 2.0])
opt = tf.train.AdamOptimizer(0.1)
train = opt.minimize(tf.reduce_sum(w * w))
show(train, opt.get_slot_names(), opt.get_slot(w, "m"), opt.get_slot(w, "v"), opt.variables(), tf.global_variables(), tf.trainable_variables())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show([(sess.run(train), sess.run(w))[1] for _ in range(5)], sess.run(opt.variables()))
# --- adam of resource variables
w = tf.get_variable("w", initializer=[1.0, 2.0], use_resource=True)
opt = tf.train.AdamOptimizer(0.1)
train = opt.minimize(tf.reduce_sum(w * w))
show(train, opt.variables())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show([(sess.run(train), sess.run(w))[1] for _ in range(3)], sess.run(w))
# --- global step
w = tf.Variable(1.0)
step = tf.train.get_or_create_global_step()
train = tf.train.GradientDescentOptimizer(0.1).minimize(w * w, global_step=step)
show(step, train, tf.train.get_global_step() is step, tf.get_collection(tf.GraphKeys.GLOBAL_STEP), tf.train.get_or_create_global_step() is step)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        sess.run(train)
    show(sess.run([step, w]), tf.train.global_step(sess, step))
# --- a second global step
tf.train.create_global_step()
tf.train.create_global_step()
# --- a global step of another kind
tf.Variable(1.0, name="global_step")
tf.train.get_global_step()
# --- compute and apply
a, b, c = tf.Variable(1.0, name="a"), tf.Variable([2.0], name="b"), tf.Variable(3.0, name="c")
opt = tf.train.GradientDescentOptimizer(0.5, name="sgd")
pairs = opt.compute_gradients(a * tf.reduce_sum(b), [a, b, c])
show(pairs)
train = opt.apply_gradients([(tf.clip_by_value(g, -1.0, 1.0) if g is not None else None, v) for g, v in pairs], name="apply")
show(train, opt.get_name())
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    show(sess.run([a, b, c]))
# --- minimize with a var_list and gates
a, b = tf.Variable(1.0, name="a"), tf.Variable(2.0, name="b")
opt = tf.train.GradientDescentOptimizer(0.5)
train = opt.minimize(a * b, var_list=[b], gate_gradients=opt.GATE_GRAPH, colocate_gradients_with_ops=True, grad_loss=tf.constant(2.0), name="step")
show(train)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    show(sess.run([a, b]))
# --- sparse updates
v = tf.get_variable("v", initializer=np.ones((4, 2), np.float32))
loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(v, [1, 3, 1])))
trains = [o.minimize(loss) for o in (tf.train.GradientDescentOptimizer(0.1), tf.train.MomentumOptimizer(0.1, 0.9), tf.train.AdamOptimizer(0.1))]
show(trains)
for t in trains:
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(t)
        sess.run(t)
        show(sess.run(v))
# --- sparse updates of resource variables
v = tf.get_variable("v", initializer=np.ones((4, 2), np.float32), use_resource=True)
loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(v, [1, 3, 1])))
trains = [o.minimize(loss) for o in (tf.train.GradientDescentOptimizer(0.1), tf.train.MomentumOptimizer(0.1, 0.9), tf.train.AdamOptimizer(0.1))]
for t in trains:
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        sess.run(t)
        sess.run(t)
        show(sess.run(v))
# --- learning rates of tensors
w = tf.Variable(1.0)
rate = tf.placeholder(tf.float32, [])
train = tf.train.GradientDescentOptimizer(rate).minimize(w * w)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show([(sess.run(train, {rate: r}), sess.run(w))[1] for r in (0.1, 0.2, 0.3)], sess.run(w))
# --- nothing to train
tf.train.GradientDescentOptimizer(0.1).minimize(tf.constant(1.0))
# --- no gradients
v = tf.Variable(1.0, name="v")
tf.train.GradientDescentOptimizer(0.1).minimize(tf.constant(1.0))
# --- no gradients for a list
v, w = tf.Variable(1.0, name="v"), tf.Variable([2.0], name="w")
tf.train.GradientDescentOptimizer(0.1).apply_gradients([(None, v), (None, w)])
# --- no gradients at all
tf.train.GradientDescentOptimizer(0.1).apply_gradients([])
# --- gradients that are none
v = tf.Variable(1.0, name="v")
tf.train.GradientDescentOptimizer(0.1).apply_gradients([("x", v)])
# --- a variable that is none
tf.train.GradientDescentOptimizer(0.1).apply_gradients([(tf.constant(1.0), tf.constant(1.0))])
# --- a loss of integers
v = tf.Variable(1)
tf.train.GradientDescentOptimizer(0.1).minimize(v * v)
# --- a wrong gate
v = tf.Variable(1.0)
tf.train.GradientDescentOptimizer(0.1).minimize(v * v, gate_gradients="yes")
# --- an optimizer without a name
tf.train.Optimizer(False, "")
# --- train ops in a collection
v = tf.Variable(1.0)
train = tf.train.GradientDescentOptimizer(0.1).minimize(v * v)
show(tf.get_collection(tf.GraphKeys.TRAIN_OP), tf.get_default_graph().get_all_collection_keys())
# --- how full queues are
T = tf.train
T.string_input_producer(["a"], capacity=7), T.string_input_producer(["a"], name="p"), T.range_input_producer(3), T.slice_input_producer([[1, 2]]), T.input_producer(tf.constant([1, 2]), summary_name="mine"), T.input_producer(tf.constant([1]))
x = tf.constant(1)
T.batch([x], 2), T.batch([x], 2, dynamic_pad=True, capacity=9), T.shuffle_batch([x], 2, 50, 10), T.batch_join([[x]], 2), T.shuffle_batch_join([[x]], 2, 50, 10, name="s"), T.maybe_batch([x], True, 2)
show([[t.op.name, t.op.type] for t in tf.get_collection(tf.GraphKeys.SUMMARIES)])
# --- how full a queue is
x = tf.train.batch([tf.train.string_input_producer(["a", "b"], shuffle=False, num_epochs=2).dequeue()], 2, capacity=8)
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    show([len(tf.Summary.FromString(s).value) for s in sess.run(tf.get_collection("summaries"))])
