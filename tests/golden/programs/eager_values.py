# --- formats
m = tf.matmul([[2.0]], [[2.0]])
show(f"hello, {m}", f"{tf.constant(2)}", "%s" % tf.constant([1.5, 2.0]))
show(f"{tf.constant(2):>8}|", f"{tf.constant(2.0):.3f}")

# --- printing large values
show(tf.reshape(tf.range(2000), [2, 1000]), tf.zeros([100, 100]))

# --- printing special values
show(tf.constant([float("inf"), float("-inf"), float("nan"), -0.0, 1e30, 1e-30]))
show(
    tf.constant([True, False]), tf.constant([[b"a\x00b", b"\xff"]]), tf.constant(1 + 2j)
)
show(
    tf.constant(3, tf.uint8),
    tf.constant([1, 2], tf.int64),
    tf.constant(2.5, tf.float16),
)
show(tf.constant([1.123456789, 2.0], tf.float64), tf.constant(1.123456789, tf.float64))
show(tf.constant(0.1), tf.constant(1e10), tf.constant(1e-5), tf.constant(123456789.0))

# --- constants of nested lists and tuples
show(
    tf.constant([(1, 2), (3, 4)]),
    tf.constant(((1.0,),)),
    tf.constant([]),
    tf.constant([[]]),
)

# --- constants of mixed lists
show(tf.constant([1, 2.5]), tf.constant([True, False]))

# --- a list of bools and ints
tf.constant([1, True])

# --- a ragged list
tf.constant([[1, 2], [3]])

# --- constants with a dtype
show(
    tf.constant(1, tf.float32),
    tf.constant([1, 2], dtype=tf.int8),
    tf.constant(1, "int64"),
)

# --- a float as an int | an error, not 1
tf.constant(1.5, tf.int32)

# --- a number too large | an error, not 44
tf.constant(300, tf.uint8)

# --- a string as a number
tf.constant("a", tf.int32)

# --- None as a constant
tf.constant(None)

# --- an object as a constant
tf.constant(object())

# --- constants with a shape
show(tf.constant(1.0, shape=[2, 2]), tf.constant([1, 2, 3, 4], shape=[2, 2]))

# --- a constant with too few values
tf.constant([1, 2, 3], shape=[2, 2])

# --- a constant with too many values
tf.constant([1, 2, 3], shape=[2])

# --- python ints become int32, then int64
show(tf.constant(2**31 - 1), tf.constant([2**31]), tf.constant(-(2**31)))

# --- an int beyond int64
tf.constant(2**63)

# --- numpy arrays keep their dtype
show(
    tf.constant(np.array([1, 2])),
    tf.constant(np.array([1.0])),
    tf.constant(np.array(3, np.int8)),
)
show(tf.constant(np.array([1], np.uint16)), tf.constant(np.array([True])))
show(
    tf.constant(np.array(["a", "bc"])),
    tf.constant(np.array([b"a"])),
    tf.constant(np.array(1j)),
)

# --- a fortran array
show(tf.constant(np.asfortranarray(np.arange(6).reshape(2, 3))))

# --- convert_to_tensor
x = tf.constant([1.0])
show(
    tf.convert_to_tensor(x) is x,
    tf.convert_to_tensor([1, 2]),
    tf.convert_to_tensor(2.0),
)
show(tf.convert_to_tensor([x, x]), tf.convert_to_tensor([[x[0], 2.0]]))
show(
    tf.convert_to_tensor(1, preferred_dtype=tf.float32),
    tf.convert_to_tensor(1, tf.float64),
)

# --- convert_to_tensor of another dtype | an error, as in graphs
tf.convert_to_tensor(tf.constant([1.0]), tf.int32)

# --- tensors in lists
a, b = tf.constant(1.0), tf.constant(2.0)
show(tf.stack([a, b]), tf.constant([1.0, 2.0]) + [a, b], tf.reduce_sum([a, b, 3.0]))

# --- tensors of different dtypes in a list
tf.convert_to_tensor([tf.constant(1.0), tf.constant(1)])
