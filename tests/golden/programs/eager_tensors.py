# --- python numbers on both sides
x = tf.constant([1.0, 2.0])
show(x + 1, 1 + x, x - 1.5, 2 - x, x * 3, 3 * x, x / 2, 2 / x, x**2, 2**x, -x, abs(-x))

# --- integer operators
i = tf.constant([7, -7])
show(i // 2, i % 2, 7 // i, i / 2, i * 2, i - 1, i**2, -i, abs(i))

# --- truediv of integers is float64
show(tf.constant(7) / tf.constant(2), tf.truediv(7, 2), tf.div(7, 2), tf.div(-7, 2))

# --- int8 division
show(tf.constant(7, tf.int8) / tf.constant(2, tf.int8))

# --- comparisons
x = tf.constant([1, 2, 3])
show(x < 2, x <= 2, x > 2, x >= 2, x == x, x != x, x == tf.constant([1, 2, 3]))

# --- equality is identity
a, b = tf.constant([1, 2]), tf.constant([1, 2])
show(a == b, a == a, a != b, a == [1, 2], a is a)
show(len({a: 1, b: 2}), a in [b, a], hash(a) == hash(a))

# --- logical operators
t, f = tf.constant([True, False]), tf.constant([True, True])
show(t & f, t | f, t ^ f, ~t)

# --- bitwise operators on integers
i, j = tf.constant([1, 6]), tf.constant([3, 2])
i & j

# --- inverting integers
~tf.constant([1])

# --- matmul operator
a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
show(a @ a, a @ [[1.0], [1.0]], [[1.0, 1.0]] @ a, np.eye(2, dtype="f4") @ a)

# --- floordiv and mod of floats
x = tf.constant([5.5, -5.5])
show(x // 2.0, x % 2.0)

# --- strings add
show(tf.constant("a") + tf.constant("b"), tf.constant(["a", "b"]) + "c")

# --- a float beside an int tensor | an error, not 1
tf.constant([1, 2]) + 1.5

# --- a string beside a float tensor
tf.constant([1.0]) + "a"

# --- None beside a tensor
tf.constant([1.0]) + None

# --- a list beside a tensor
show(tf.constant([1.0, 2.0]) + [1.0, 2.0], [1, 2] * tf.constant([3, 4]))

# --- ndarrays beside tensors
x = tf.constant([1.0, 2.0])
a = np.array([10.0, 20.0], np.float32)
show(x + a, a + x, a * x, x - a, a - x, np.float32(3) * x, x * np.float32(3))

# --- an ndarray of another dtype
tf.constant([1.0]) + np.array([1.0])

# --- a numpy scalar of another dtype
tf.constant([1.0]) * np.float64(2.0)

# --- numpy functions take tensors
x = tf.constant([[1.0, 4.0], [9.0, 16.0]])
show(np.sqrt(x), np.sum(x), np.add(x, x), np.dot(x, x), np.asarray(x), np.array(x))

# --- numpy gives a copy
x = tf.constant([1.0, 2.0])
a = x.numpy()
a[0] = 100.0
show(x, a)

# --- an ndarray is copied
a = np.array([1.0, 2.0])
x = tf.constant(a)
a[0] = 100.0
show(x)

# --- types of what numpy returns
x = tf.constant(3.0)
show(type(x.numpy()).__name__, type(tf.constant([1]).numpy()).__name__)
show(type(tf.constant("a").numpy()).__name__)

# --- conversion to python numbers
x = tf.constant(3.7)
show(int(x), float(x), f"{x:.1f}", "%d" % x, "%.3f" % x)
bool(x)

# --- bool of numbers
show(bool(tf.constant(True)), bool(tf.constant(False)))
bool(tf.constant(0))

# --- bool of a vector
bool(tf.constant([1, 2]))

# --- bool of one element
show(bool(tf.constant([True])))

# --- int of a vector
int(tf.constant([1, 2]))

# --- tensors as indices
l = ["a", "b", "c"]
show(l[tf.constant(1)], list(range(tf.constant(3))))

# --- range of numpy
show(list(range(tf.constant(3).numpy())))

# --- a float tensor as an index | an error, not a cut
[1, 2][tf.constant(1.0)]

# --- len
len(tf.constant([1, 2]))

# --- iteration
show([float(v) for v in tf.constant([1.0, 2.0])], [v for v in tf.constant([[1], [2]])])

# --- iteration over a scalar
list(tf.constant(1.0))

# --- unpacking
a, b = tf.constant([1.0, 2.0])
show(a, b)

# --- builtins over tensors
x = tf.constant([3.0, 1.0, 2.0])
show(max(x), min(x), sum(x), sorted(float(v) for v in x), all(x > 0.0), any(x > 2.5))

# --- zip and enumerate
show([(i, float(v)) for i, v in enumerate(tf.constant([1.0, 2.0]))])

# --- in
2.0 in tf.constant([1.0, 2.0])

# --- item assignment
x = tf.constant([1.0])
x[0] = 2.0

# --- slices
x = tf.reshape(tf.range(24), [2, 3, 4])
show(x[0], x[0, 1], x[0, 1, 2], x[:, 1], x[..., 0], x[1, ..., 1], x[-1], x[0][1])
show(x[:, ::2], x[:, ::-1, 1:3], x[..., None].shape, x[None].shape, x[:, None, 0].shape)
show(x[0:1].shape, x[5:].shape, x[:-1].shape, x[tf.newaxis, ..., tf.newaxis].shape)
show(x[..., None, 1:-1:2])

# --- tensors in slices
x = tf.range(10)
i, j = tf.constant(2), tf.constant(5)
show(x[i], x[i:j], x[:j], x[i:j:2], x[i : j + 1], x[-i:])

# --- int64 tensors in slices
x = tf.range(10)
show(x[tf.constant(2, tf.int64)], x[tf.constant(2, tf.int64) :])

# --- numpy numbers in slices
x = tf.range(10)
show(x[np.int32(2)], x[np.int64(2) : np.int64(4)])

# --- an index out of bounds
tf.constant([1, 2])[5]

# --- too many indices
tf.constant([1, 2])[0, 0]

# --- a float index
tf.constant([1, 2])[1.0]

# --- a list as an index
tf.constant([1, 2, 3])[[0, 2]]

# --- a mask as an index | TypeError, not InternalError
x = tf.constant([1, 2, 3])
x[x > 1]

# --- a string index
tf.constant([1, 2, 3])["a"]

# --- step zero
tf.constant([1, 2, 3])[::0]

# --- shape and its parts
x = tf.zeros([2, 3])
show(
    x.shape,
    x.shape[0],
    x.shape[-1].value,
    x.shape.as_list(),
    x.shape.ndims,
    len(x.shape),
)
show(
    x.get_shape(),
    x.ndim,
    x.shape == (2, 3),
    x.shape == [2, 3],
    tuple(x.shape.as_list()),
)
show(
    x.shape.num_elements(),
    x.shape[1:],
    [d for d in x.shape],
    x.shape.is_fully_defined(),
)

# --- dtype
x = tf.constant(1.0)
show(x.dtype, x.dtype == tf.float32, x.dtype.name, repr(x.dtype), x.dtype.is_floating)
show(
    x.dtype.as_numpy_dtype,
    tf.as_dtype("int32"),
    tf.as_dtype(np.float64),
    x.dtype == "float32",
)

# --- names of graphs
tf.constant(1.0).name

# --- the op of a tensor
tf.constant(1.0).op

# --- the graph of a tensor
tf.constant(1.0).graph

# --- value_index of a tensor
tf.constant(1.0).value_index

# --- device
show(tf.constant(1.0).device)

# --- eval
tf.constant(1.0).eval()

# --- set_shape
x = tf.zeros([2, 3])
x.set_shape([2, None])
show(x.shape)
x.set_shape([3, 3])

# --- consumers
tf.constant(1.0).consumers()
