# --- print
x = tf.constant([1.0, 2.0])
y = tf.Print(x, [x, tf.constant(3)], message="seen: ", first_n=1, summarize=1)
show(y)
with tf.Session() as sess:
    show(sess.run(y * 2.0))
# --- print with nothing to print
tf.Print(tf.constant(1), 3)
# --- assert
x = tf.placeholder(tf.int32, [2], name="x")
check = tf.Assert(tf.reduce_all(x > 0), [x, "text"])
with tf.control_dependencies([check]):
    y = tf.identity(x, name="y")
show(y)
with tf.Session() as sess:
    show(sess.run(y, {x: [1, 2]}))
    sess.run(y, {x: [1, -2]})
# --- assert of a constant
tf.Assert(False, ["never", 3])
# --- assertions
x = tf.placeholder(tf.float32, [None], name="x")
with tf.control_dependencies([tf.assert_positive(x), tf.assert_less(x, 5.0, message="too large")]):
    y = tf.identity(x)
with tf.Session() as sess:
    show(sess.run(y, {x: [1.0, 2.0]}))
    sess.run(y, {x: [1.0, 7.0]})
# --- static assertions
x = tf.placeholder(tf.float32, [None, 3])
tf.assert_rank(x, 2)
tf.assert_type(x, tf.float32)
tf.assert_rank(x, 3)
# --- static assertions of values
tf.assert_equal(tf.constant([1, 2]), [1, 3])
# --- assert_type
tf.assert_type(tf.constant(1), tf.float32)
# --- check numerics
x = tf.placeholder(tf.float32, [2])
y = tf.check_numerics(tf.log(x), "logs")
show(y)
with tf.Session() as sess:
    show(sess.run(y, {x: [1.0, 1.0]}))
    sess.run(y, {x: [1.0, -1.0]})
# --- py_func
def f(a, b):
    return a + b, np.float32(3.0)
x = tf.placeholder(tf.float32, [None])
y, z = tf.py_func(f, [x, 2.0], [tf.float32, tf.float32], name="both")
w = tf.py_func(lambda a: a * 2, [x], tf.float32)
n = tf.py_func(lambda: b"text", [], tf.string, stateful=False)
show(y, z, w, n)
with tf.Session() as sess:
    show(sess.run([y, z, w, n], {x: [1.0, 2.0]}))
# --- py_func without outputs
seen = []
op = tf.py_func(lambda a: seen.append(int(a)), [tf.constant(3)], [])
show(op)
with tf.Session() as sess:
    show(sess.run(op), seen)
# --- py_func that raises
def f(a):
    raise ValueError("a bad value")
y = tf.py_func(f, [1.0], tf.float32)
with tf.Session() as sess:
    sess.run(y)
# --- py_func of another type
y = tf.py_func(lambda a: np.float64(a), [1.0], tf.float32)
with tf.Session() as sess:
    try:
        sess.run(y)
    except tf.errors.InvalidArgumentError as error:
        show(error.message.split("\n")[0].split("[[")[0].replace(y.op.get_attr("token").decode(), "f"))
# --- py_func with too many results
y = tf.py_func(lambda a: (a, a), [1.0], [tf.float32])
with tf.Session() as sess:
    try:
        sess.run(y)
    except tf.errors.InvalidArgumentError as error:
        show(error.message.split("[[")[0].replace(y[0].op.get_attr("token").decode(), "f"))
# --- eager py_func
y = tfe.py_func(lambda a: a * a, [tf.constant(3.0)], tf.float32)
g = tf.gradients(y, tf.constant(1.0))
show(y, g)
with tf.Session() as sess:
    show(sess.run(y))
# --- random shapes
x = tf.placeholder(tf.float32, [None, 3])
show(tf.random_normal([2, 3]), tf.random_uniform(tf.shape(x)), tf.truncated_normal([2], dtype=tf.float64))
show(tf.random_shuffle(x), tf.multinomial(x, 4), tf.random_uniform([], maxval=9, dtype=tf.int32), tf.random_gamma([2], 1.0))
show(tf.random_crop(tf.zeros([5, 5, 3]), [2, 2, 3]), tf.random_poisson(3.0, [4]))
# --- integers need a maximum
tf.random_uniform([2], dtype=tf.int32)
# --- seeds of operations
a, b = tf.random_normal([3], seed=1), tf.random_normal([3], seed=1)
c = tf.random_normal([3], seed=2)
with tf.Session() as one:
    first, second = one.run([a, b, c]), one.run([a, b, c])
with tf.Session() as two:
    again = two.run([a, b, c])
show((first[0] == first[1]).all(), (first[0] == first[2]).all(), (first[0] == second[0]).all(), (first[0] == again[0]).all())
# --- seeds of graphs
tf.set_random_seed(7)
a, b = tf.random_uniform([3]), tf.random_uniform([3])
with tf.Session() as one:
    first, second = one.run([a, b]), one.run([a, b])
with tf.Session() as two:
    again, later = two.run([a, b]), two.run([a, b])
show((first[0] == first[1]).all(), (first[0] == second[0]).all())
show(np.array_equal(first, again), np.array_equal(second, later))
# --- no seeds
a = tf.random_uniform([3])
with tf.Session() as sess:
    show((sess.run(a) == sess.run(a)).all())
with tf.Session() as sess:
    x, y = sess.run([a, a])
    show((x == y).all())
# --- random initial values stay
v = tf.Variable(tf.random_normal([3]), name="v")
with tf.Session() as sess:
    sess.run(v.initializer)
    show((sess.run(v) == sess.run(v)).all())
# --- random ranges
with tf.Session() as sess:
    x = sess.run(tf.random_uniform([1000], 2.0, 3.0))
    y = sess.run(tf.random_uniform([1000], 5, 9, tf.int64))
    show(x.min() >= 2.0, x.max() < 3.0, sorted(set(y)), str(x.dtype), str(y.dtype))
# --- queue
q = tf.FIFOQueue(3, [tf.float32, tf.int32], shapes=[[], [2]], name="q")
put = q.enqueue([1.5, [1, 2]])
many = q.enqueue_many([[2.5, 3.5], [[3, 4], [5, 6]]])
a, b = q.dequeue()
n = q.size()
show(put, many, a, b, n, q.name, q.dtypes, q.shapes, q.names)
with tf.Session() as sess:
    sess.run(put)
    sess.run(many)
    show(sess.run(n), sess.run([a, b]), sess.run(q.dequeue_many(2)), sess.run(n))
# --- a closed queue
q = tf.FIFOQueue(3, tf.float32, shapes=[[]], name="q")
put, x, close = q.enqueue(1.0), q.dequeue(), q.close()
with tf.Session() as sess:
    sess.run(put)
    sess.run(close)
    show(sess.run(x))
    try:
        sess.run(x)
    except tf.errors.OutOfRangeError as error:
        show(error.message.split("q' ")[1].split("[[")[0])
# --- a queue of wrong types | TensorFlow drops the values that are too many
q = tf.FIFOQueue(3, tf.float32)
q.enqueue([1, 2, 3])
# --- a queue of a wrong shape
q = tf.FIFOQueue(3, tf.float32, shapes=[[2]])
q.enqueue(tf.constant([1.0, 2.0, 3.0]))
# --- dequeue_many without shapes
tf.FIFOQueue(3, tf.float32).dequeue_many(2)
# --- queue runners
q = tf.FIFOQueue(10, tf.int32, shapes=[[]])
v = tf.Variable(0)
put = q.enqueue(v.assign_add(1))
tf.train.add_queue_runner(tf.train.QueueRunner(q, [put]))
x = q.dequeue()
show(len(tf.get_collection(tf.GraphKeys.QUEUE_RUNNERS)))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    show(len([int(sess.run(x)) for _ in range(3)]), len(threads))
    coord.request_stop()
    sess.run(q.close(cancel_pending_enqueues=True))
    coord.join(threads)
    show(coord.should_stop())
# --- input producer
x = tf.train.range_input_producer(3, num_epochs=1, shuffle=False).dequeue()
with tf.Session() as sess:
    sess.run(tf.local_variables_initializer())
    coord = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(sess, coord)
    found = []
    try:
        while not coord.should_stop():
            found.append(int(sess.run(x)))
    except tf.errors.OutOfRangeError as error:
        show(type(error).__name__)
    finally:
        coord.request_stop()
    coord.join(threads)
    show(found)
# --- collections
g = tf.get_default_graph()
tf.add_to_collection("mine", 1)
tf.add_to_collection("mine", tf.constant(2, name="scope/two"))
tf.add_to_collections(["mine", "other"], 3)
show(tf.get_collection("mine"), tf.get_collection("mine", scope="scope"), tf.get_collection("missing"), tf.get_collection("other"))
show(sorted(g.get_all_collection_keys()), sorted(g.collections))
tf.get_collection("mine").append(4)
tf.get_collection_ref("mine").append(5)
g.clear_collection("other")
show(tf.get_collection("mine"), tf.get_collection("other"))
# --- sparse tensors
s = tf.SparseTensor([[0, 1], [2, 0]], [1.0, 2.0], [3, 2])
d = tf.sparse_tensor_to_dense(s)
p = tf.sparse_placeholder(tf.float32, name="p")
t = tf.sparse_reduce_sum(p)
show(s, d, p, s.get_shape(), s.dense_shape)
with tf.Session() as sess:
    show(sess.run([s, d]), sess.run(t, {p: tf.SparseTensorValue([[0, 0]], [5.0], [2, 2])}))
# --- string ops
s = tf.constant(["a,b", "c"])
show(tf.string_join(["x", s]), tf.string_to_number(["1.5"]), tf.as_string([1, 2]), tf.string_split(s, ","))
with tf.Session() as sess:
    show(sess.run([tf.string_join(["x", s]), tf.string_to_number(["1.5"]), tf.as_string([1, 2]), tf.string_split(s, ",").values]))
# --- lookup tables
keys, values = tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64)
table = tf.contrib.lookup.HashTable(tf.contrib.lookup.KeyValueTensorInitializer(keys, values), -1)
x = table.lookup(tf.constant(["b", "z"]))
show(x)
with tf.Session() as sess:
    sess.run(tf.tables_initializer())
    show(sess.run([x, table.size()]))
# --- a table that is not initialized
keys, values = tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64)
table = tf.contrib.lookup.HashTable(tf.contrib.lookup.KeyValueTensorInitializer(keys, values), -1)
x = table.lookup(tf.constant(["b", "z"]))
with tf.Session() as sess:
    sess.run(x)
# --- a fixed count of updates
v = tf.Variable(0, name="v")
up = v.count_up_to(3)
with tf.Session() as sess:
    sess.run(v.initializer)
    show([sess.run(up) for _ in range(3)])
    sess.run(up)
# --- where and boolean_mask
x = tf.placeholder(tf.float32, [None, 2])
m = tf.placeholder(tf.bool, [None])
show(tf.boolean_mask(x, m), tf.where(m), tf.where(x > 0.0, x, -x))
with tf.Session() as sess:
    show(sess.run([tf.boolean_mask(x, m), tf.where(m)], {x: [[1.0, 2.0], [3.0, 4.0]], m: [False, True]}))
# --- a small network
x = tf.placeholder(tf.float32, [None, 4], name="x")
with tf.variable_scope("layer", initializer=tf.constant_initializer(0.5)):
    w, b = tf.get_variable("w", [4, 3]), tf.get_variable("b", [3])
    h = tf.nn.xw_plus_b(x, w, b)
    p = tf.nn.softmax(tf.nn.relu(h), name="p")
correct = tf.nn.in_top_k(p, [0], 1)
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
show(h, p, correct, accuracy)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    show(sess.run([h, p], {x: np.eye(4)[:1]}))
