# --- one shot
d = tf.data.Dataset.from_tensor_slices(([1, 2, 3], [4.0, 5.0, 6.0])).batch(2)
it = d.make_one_shot_iterator()
x, y = it.get_next()
show(x, y, it.output_types, it.output_shapes, d.output_types, d.output_shapes)
show([c is tf.Tensor for c in it.output_classes], [c is tf.Tensor for c in d.output_classes])
with tf.Session() as sess:
    show(sess.run([x, y]), sess.run([x, y]))
    sess.run(x)
# --- initializable
n = tf.placeholder(tf.int64, [])
it = tf.data.Dataset.range(n).make_initializable_iterator()
x = it.get_next()
show(x, it.initializer)
with tf.Session() as sess:
    for size in (2, 3):
        sess.run(it.initializer, {n: size})
        while True:
            try:
                show(sess.run(x))
            except tf.errors.OutOfRangeError:
                break
# --- not initialized
it = tf.data.Dataset.range(3).make_initializable_iterator()
x = it.get_next()
with tf.Session() as sess:
    sess.run(x)
# --- reinitializable
a, b = tf.data.Dataset.range(2), tf.data.Dataset.range(10, 13)
it = tf.data.Iterator.from_structure(a.output_types, a.output_shapes)
x = it.get_next(name="next")
to_a, to_b = it.make_initializer(a), it.make_initializer(b, name="to_b")
show(x, to_a, to_b)
with tf.Session() as sess:
    sess.run(to_a)
    show(sess.run(x), sess.run(x))
    sess.run(to_b)
    show(sess.run(x))
    sess.run(to_a)
    show(sess.run(x))
# --- feedable
a, b = tf.data.Dataset.range(3).repeat(), tf.data.Dataset.range(10, 13)
handle = tf.placeholder(tf.string, [])
it = tf.data.Iterator.from_string_handle(handle, a.output_types, a.output_shapes)
x = it.get_next()
one, two = a.make_one_shot_iterator(), b.make_initializable_iterator()
show(x, one.string_handle(), two.string_handle(name="h"))
with tf.Session() as sess:
    h1, h2 = sess.run([one.string_handle(), two.string_handle()])
    sess.run(two.initializer)
    show([sess.run(x, {handle: h}) for h in (h1, h1, h2, h1, h1, h2, h2)])
    sess.run(x, {handle: h2})
# --- a handle that is none
handle = tf.placeholder(tf.string, [])
x = tf.data.Iterator.from_string_handle(handle, tf.int64, []).get_next()
with tf.Session() as sess:
    sess.run(x, {handle: "junk"})
# --- a one shot iterator has no initializer
tf.data.Dataset.range(3).make_one_shot_iterator().initializer
# --- a one shot iterator captures no placeholder
tf.data.Dataset.range(tf.placeholder(tf.int64, [])).make_one_shot_iterator()
# --- a one shot iterator captures no variable
v = tf.Variable(3, dtype=tf.int64)
tf.data.Dataset.range(v).make_one_shot_iterator()
# --- structures that differ in type
it = tf.data.Iterator.from_structure(tf.int64, [])
it.make_initializer(tf.data.Dataset.from_tensor_slices([1.0]))
# --- structures that differ in shape
it = tf.data.Iterator.from_structure(tf.int64, [2])
it.make_initializer(tf.data.Dataset.range(3))
# --- iterating over a dataset
for x in tf.data.Dataset.range(3):
    show(x)
# --- tfe.Iterator in a graph
try:
    tfe.Iterator(tf.data.Dataset.range(3))
except RuntimeError as error:
    show(str(error).split("> ")[1])
# --- structures
d = tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": ([1.0, 2.0], ["x", "y"])})
x = d.make_one_shot_iterator().get_next()
show(str(d), repr(d), d.output_types, d.output_shapes, x)
with tf.Session() as sess:
    show(sess.run(x))
# --- map filter flat_map
d = tf.data.Dataset.range(6)
ds = [d.map(lambda x: x * x), d.filter(lambda x: x > 3), d.flat_map(lambda x: tf.data.Dataset.from_tensors(x).repeat(2)), d.map(lambda x: (x, x + 1), num_parallel_calls=2), d.take(2).concatenate(d.skip(4)), d.shard(3, 1)]
show([str(e) for e in ds[:5]])
with tf.Session() as sess:
    for e in ds:
        x = e.make_one_shot_iterator().get_next()
        found = []
        try:
            while True:
                found.append(sess.run(x))
        except tf.errors.OutOfRangeError:
            show(found)
# --- batches
d = tf.data.Dataset.range(5)
ds = [d.batch(2), d.batch(2, drop_remainder=True), d.batch(2).prefetch(1), d.repeat(2).batch(4), tf.data.Dataset.zip((d, d.map(lambda x: x + 1)))]
show([e.output_shapes for e in ds])
with tf.Session() as sess:
    for e in ds:
        x = e.make_one_shot_iterator().get_next()
        found = []
        try:
            while True:
                found.append(sess.run(x))
        except tf.errors.OutOfRangeError:
            show(found)
# --- map with captured tensors
v = tf.Variable([10, 20, 30], dtype=tf.int64, use_resource=True)
k = tf.placeholder(tf.int64, [])
it = tf.data.Dataset.range(3).map(lambda i: v[i] + k).make_initializable_iterator()
x = it.get_next()
with tf.Session() as sess:
    sess.run(v.initializer)
    sess.run(it.initializer, {k: 5})
    show([sess.run(x) for _ in range(3)])
# --- map with errors
d = tf.data.Dataset.from_tensor_slices([1.0, -1.0]).map(lambda x: tf.check_numerics(tf.log(x), "bad"))
x = d.make_one_shot_iterator().get_next()
with tf.Session() as sess:
    show(sess.run(x))
    sess.run(x)
# --- from_generator
def numbers():
    for i in range(3):
        yield i, [i] * i
d = tf.data.Dataset.from_generator(numbers, (tf.int64, tf.int32), (tf.TensorShape([]), tf.TensorShape([None])))
it = d.make_initializable_iterator()
x = it.get_next()
show(d.output_types, d.output_shapes, x)
with tf.Session() as sess:
    for _ in range(2):
        sess.run(it.initializer)
        show([sess.run(x) for _ in range(3)])
# --- from_generator with arguments
d = tf.data.Dataset.from_generator(lambda n, k: (i * k for i in range(n)), tf.int64, [], args=(3, 10))
x = d.make_one_shot_iterator().get_next()
with tf.Session() as sess:
    show([sess.run(x) for _ in range(3)])
# --- from_generator of another type
d = tf.data.Dataset.from_generator(lambda: iter(["a"]), tf.int64, [])
x = d.make_one_shot_iterator().get_next()
with tf.Session() as sess:
    sess.run(x)
# --- from_generator of another shape
d = tf.data.Dataset.from_generator(lambda: iter([[1, 2]]), tf.int64, [3])
x = d.make_one_shot_iterator().get_next()
with tf.Session() as sess:
    sess.run(x)
# --- from_generator that is not callable
tf.data.Dataset.from_generator([1, 2], tf.int64)
# --- py_func in a map
d = tf.data.Dataset.range(3).map(lambda x: tf.py_func(lambda a: a * 2, [x], tf.int64))
x = d.make_one_shot_iterator().get_next()
show(d.output_shapes, x)
with tf.Session() as sess:
    show([sess.run(x) for _ in range(3)])
# --- wrong arguments
tf.data.Dataset.from_tensor_slices([1, 2]).batch("x")
# --- slices of different lengths
tf.data.Dataset.from_tensor_slices(([1, 2], [3]))
# --- slices of a scalar | says what to call
tf.data.Dataset.from_tensor_slices(1)
# --- a predicate that is none
tf.data.Dataset.range(3).filter(lambda x: x)
# --- a flat_map without a dataset
tf.data.Dataset.range(3).flat_map(lambda x: x)
# --- batch of different shapes
d = tf.data.Dataset.range(3).map(lambda x: tf.fill([x], x)).batch(2)
x = d.make_one_shot_iterator().get_next()
with tf.Session() as sess:
    sess.run(x)
# --- reduce
d = tf.data.Dataset.range(5)
x = d.reduce(np.int64(0), lambda s, x: s + x)
show(x)
with tf.Session() as sess:
    show(sess.run(x))
# --- datasets of random numbers in both modes
d = tf.data.Dataset.from_tensor_slices(tf.zeros((4, 2))).batch(2)
it = d.make_initializable_iterator()
x = it.get_next()
with tf.Session() as sess:
    sess.run(it.initializer)
    show(sess.run(x), sess.run(x))
# --- two get_next of one iterator
it = tf.data.Dataset.range(10).make_one_shot_iterator()
a, b = it.get_next(), it.get_next()
show(a, b)
with tf.Session() as sess:
    show(sorted(sess.run([a, b])), sorted(sess.run([a, b])), sess.run(a + a))
# --- an epoch in a training loop
data = tf.data.Dataset.from_tensor_slices(np.float32([[1.0], [2.0], [3.0], [4.0]])).batch(2)
it = data.make_initializable_iterator()
x = it.get_next()
w = tf.Variable(0.0)
loss = tf.reduce_mean(tf.square(w - x))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(3):
        sess.run(it.initializer)
        try:
            while True:
                show(sess.run([loss, train])[0])
        except tf.errors.OutOfRangeError as e:
            show(e.message.split("\n")[0], sess.run(w))
