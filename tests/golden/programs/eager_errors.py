# --- broadcasting
x = tf.ones([2, 1, 3])
show((x + tf.ones([4, 1])).shape, (tf.ones([]) + x).shape)

# --- shapes that do not fit
tf.ones([2, 3]) + tf.ones([4])

# --- matrices that do not fit
tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))

# --- the wrong dtype for matmul
tf.matmul(tf.constant([[1]]), tf.constant([[1.0]]))

# --- reshape that does not fit
tf.reshape(tf.range(6), [4, 2])

# --- concat that does not fit
tf.concat([tf.ones([2, 3]), tf.ones([2, 4])], 0)

# --- an axis out of range
tf.reduce_sum(tf.ones([2, 3]), axis=5)

# --- expand_dims out of range
tf.expand_dims(tf.ones([2]), 5)

# --- squeeze of a dimension that is not one
tf.squeeze(tf.ones([2, 1]), [0])

# --- division of integers by zero
tf.constant(1) // tf.constant(0)

# --- floats divide by zero
show(tf.constant([1.0, -1.0, 0.0]) / 0.0, tf.log([0.0, -1.0]), tf.sqrt([-1.0]))

# --- gather out of range
tf.gather([1, 2, 3], [0, 3])

# --- one_hot and friends
show(tf.one_hot([0, 2, -1], 3), tf.one_hot([1], 2, on_value=5, off_value=7))
show(tf.one_hot([0, 1], 2, axis=0), tf.one_hot([1], 3, dtype=tf.int32))

# --- cond and while_loop in eager mode
show(
    tf.cond(tf.constant(True), lambda: 1, lambda: 2),
    tf.cond(tf.constant(False), lambda: 1, lambda: tf.constant(2)),
)
show(tf.while_loop(lambda i: i < 5, lambda i: i + 1, [tf.constant(0)]))
show(
    tf.while_loop(
        lambda i, s: i < 3,
        lambda i, s: [i + 1, s + i],
        [tf.constant(0), tf.constant(10)],
    )
)

# --- copying a tensor
import copy

x = tf.constant([1.0])
show(copy.copy(x), copy.deepcopy(x), copy.deepcopy([x, 2]))

# --- identity and dtype casts
x = tf.constant([1.7, -1.7])
show(
    tf.identity(x),
    tf.cast(x, tf.int32),
    tf.to_int32(x),
    tf.to_float(1),
    tf.to_double(x),
)
show(tf.cast([0, 2], tf.bool), tf.cast([True], tf.float32), tf.cast(300, tf.uint8))
show(tf.cast([float("nan")], tf.float64), tf.saturate_cast([300.0, -5.0], tf.uint8))

# --- placeholders
tf.placeholder(tf.float32)

# --- sessions
tf.Session().run(tf.constant(1.0))

# --- collections are empty
show(
    tf.get_collection("anything"),
    tf.global_variables_initializer(),
    tf.global_variables(),
)

# --- enabling twice
show(tf.enable_eager_execution(), tf.executing_eagerly())

# --- a graph inside an eager program
with tf.Graph().as_default():
    show(tf.executing_eagerly())
    x = tf.constant(2.0)
    show(x.name, tf.Session().run(x * 3.0))
show(tf.executing_eagerly())

# --- an eager tensor in a graph
e = tf.constant(1.0)
with tf.Graph().as_default():
    e + 1.0

# --- a graph tensor in eager mode
with tf.Graph().as_default():
    g = tf.constant(1.0)
g + tf.constant(1.0)


# --- line search
def line_search_step(fn, init_x, rate=1.0):
    with tf.GradientTape() as tape:
        tape.watch(init_x)
        value = fn(init_x)
    grad = tape.gradient(value, init_x)
    grad_norm = tf.reduce_sum(grad * grad)
    init_value = value
    while value > init_value - rate * grad_norm:
        x = init_x - rate * grad
        value = fn(x)
        rate /= 2.0
    return x, value


show(line_search_step(lambda x: tf.reduce_sum(x * x), tf.constant([3.0, 4.0])))


# --- fizzbuzz
def fizzbuzz(max_num):
    counter = tf.constant(0)
    max_num = tf.convert_to_tensor(max_num)
    out = []
    for num in range(1, max_num.numpy() + 1):
        num = tf.constant(num)
        if int(num % 3) == 0 and int(num % 5) == 0:
            out.append("FizzBuzz")
        elif int(num % 3) == 0:
            out.append("Fizz")
        elif int(num % 5) == 0:
            out.append("Buzz")
        else:
            out.append(str(num))
        counter += 1
    return out, counter


show(fizzbuzz(15))
