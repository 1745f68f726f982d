# --- matmul of wrong shapes
tf.matmul(tf.zeros([2, 3]), tf.zeros([2, 3]))
# --- matmul of a vector
tf.matmul(tf.zeros([2]), tf.zeros([2, 3]))
# --- matmul of two types
tf.matmul(tf.zeros([2, 3]), tf.zeros([3, 2], tf.float64))
# --- add of wrong shapes
tf.zeros([2]) + tf.zeros([3])
# --- add of two types
tf.constant(1.0) + tf.constant(1)
# --- add of a tensor and a list
tf.constant([1, 2]) + [1.5, 2.5]
# --- add of a tensor and a text
tf.constant(1.0) + "a"
# --- multiply named
tf.multiply(tf.zeros([2]), tf.zeros([3]), name="product")
# --- reshape
tf.reshape(tf.zeros([2, 3]), [4, 2])
# --- reshape with two unknown sizes
tf.reshape(tf.zeros([2, 3]), [-1, -1])
# --- concat of wrong shapes
tf.concat([tf.zeros([2, 3]), tf.zeros([3, 3])], 1)
# --- concat of wrong ranks
tf.concat([tf.zeros([2, 3]), tf.zeros([2])], 0)
# --- concat of two types
tf.concat([tf.zeros([2]), tf.constant([1])], 0)
# --- stack of wrong shapes | the node that fails is the first of its name
tf.stack([tf.zeros([2]), tf.zeros([3])])
# --- squeeze
tf.squeeze(tf.zeros([2, 3]), [0])
# --- expand_dims
tf.expand_dims(tf.zeros([2]), 3)
# --- transpose
tf.transpose(tf.zeros([2, 3]), [0, 1, 2])
# --- gather
tf.gather(tf.constant(1.0), [0])
# --- slice out of range
tf.zeros([2])[5]
# --- too many indices
tf.zeros([2])[0, 0]
# --- a slice of a wrong kind
tf.zeros([2])[1.5]
# --- item assignment
tf.zeros([2])[0] = 1.0
# --- reduce over a missing axis
tf.reduce_sum(tf.zeros([2, 3]), 2)
# --- argmax over a missing axis
tf.argmax(tf.zeros([2, 3]), 2)
# --- split
tf.split(tf.zeros([5]), 2)
# --- unstack of unknown length
tf.unstack(tf.placeholder(tf.float32, [None, 3]))
# --- tile
tf.tile(tf.zeros([2, 3]), [2])
# --- pad
tf.pad(tf.zeros([2, 3]), [[1, 1]])
# --- one_hot without a depth
tf.one_hot([1], [3])
# --- convolution
tf.nn.conv2d(tf.zeros([1, 8, 8, 3]), tf.zeros([3, 3, 4, 5]), [1, 1, 1, 1], "SAME")
# --- convolution of a wrong rank
tf.nn.conv2d(tf.zeros([8, 8, 3]), tf.zeros([3, 3, 3, 5]), [1, 1, 1, 1], "SAME")
# --- convolution with a wrong padding
tf.nn.conv2d(tf.zeros([1, 8, 8, 3]), tf.zeros([3, 3, 3, 5]), [1, 1, 1, 1], "WRONG")
# --- a filter that is too large
tf.nn.conv2d(tf.zeros([1, 2, 2, 3]), tf.zeros([3, 3, 3, 5]), [1, 1, 1, 1], "VALID")
# --- bias_add
tf.nn.bias_add(tf.zeros([2, 3]), tf.zeros([4]))
# --- softmax cross entropy of wrong shapes
tf.nn.softmax_cross_entropy_with_logits_v2(labels=tf.zeros([2, 3]), logits=tf.zeros([2, 4]))
# --- softmax cross entropy by position
tf.nn.softmax_cross_entropy_with_logits_v2(tf.zeros([2, 3]), tf.zeros([2, 3]))
# --- sparse softmax cross entropy of wrong ranks
tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.zeros([2, 1], tf.int32), logits=tf.zeros([2, 3]))
# --- sigmoid cross entropy of wrong shapes
tf.nn.sigmoid_cross_entropy_with_logits(labels=tf.zeros([2, 3]), logits=tf.zeros([2, 4]))
# --- softmax of integers
tf.nn.softmax(tf.constant([1, 2]))
# --- relu of strings
tf.nn.relu(tf.constant(["a"]))
# --- log of integers
tf.log(tf.constant(1))
# --- sqrt of integers
tf.sqrt(3)
# --- logical_and of numbers
tf.logical_and(tf.constant(1), tf.constant(0))
# --- where with one branch
tf.where([True], [1])
# --- where of wrong shapes
tf.where([True, False], tf.zeros([3]), tf.zeros([3]))
# --- cast of strings | refused when the node is made, not when it runs
tf.cast(tf.constant("a"), tf.float32)
# --- constant of mixed values
tf.constant([1, "a"])
# --- constant of ragged lists
tf.constant([[1, 2], [3]])
# --- constant of None
tf.constant(None)
# --- constant of a wrong type
tf.constant(1.5, tf.int32)
# --- constant of a wrong shape
tf.constant([1, 2, 3], shape=[2])
# --- constant of too large a number
tf.constant(1 << 40)
# --- convert an object
tf.convert_to_tensor(object())
# --- convert to another type
tf.convert_to_tensor(tf.constant(1), tf.float32)
# --- convert an operation
tf.convert_to_tensor(tf.no_op())
# --- placeholder of a wrong type
tf.placeholder("wrong")
# --- fill with a vector
tf.fill([2], [1, 2])
# --- range without an end
tf.range(0, 10, 0)
# --- zeros of a wrong shape
tf.zeros([-1])
# --- unknown dimensions in zeros
tf.zeros([None, 3])
# --- get a shape as a list
tf.placeholder(tf.float32).shape.as_list()
# --- length of an unknown shape
len(tf.placeholder(tf.float32).shape)
# --- a dimension as an index | says what Python says of None
range(tf.placeholder(tf.float32, [None]).shape[0])
# --- embedding lookup of nothing
tf.nn.embedding_lookup(None, [1])
# --- dropout out of range
tf.nn.dropout(tf.zeros([2]), 1.5)
# --- lrn of a matrix
tf.nn.local_response_normalization(tf.zeros([2, 2]))
# --- einsum | names the axis
tf.einsum("ij,jk->ik", tf.zeros([2, 3]), tf.zeros([4, 2]))
# --- tensordot
tf.tensordot(tf.zeros([2, 3]), tf.zeros([4, 2]), 1)
# --- top_k
tf.nn.top_k(tf.zeros([2]), 5)
# --- clip_by_value that broadcasts
tf.clip_by_value(tf.zeros([2]), tf.zeros([3, 2]), tf.ones([3, 2]))
# --- losses of wrong shapes
tf.losses.mean_squared_error(tf.zeros([2, 3]), tf.zeros([3, 2]))
# --- losses without predictions
tf.losses.mean_squared_error(None, tf.zeros([3, 2]))
# --- run time: matmul
x = tf.placeholder(tf.float32)
with tf.Session() as sess:
    sess.run(tf.matmul(x, x), {x: np.ones((2, 3))})
# --- run time: add
x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
with tf.Session() as sess:
    sess.run(tf.add(x, y, name="sum"), {x: [1.0, 2.0], y: [1.0, 2.0, 3.0]})
# --- run time: reshape
x = tf.placeholder(tf.float32)
with tf.Session() as sess:
    sess.run(tf.reshape(x, [2, 2]), {x: [1.0, 2.0]})
# --- run time: gather
x = tf.placeholder(tf.int32)
with tf.Session() as sess:
    sess.run(tf.gather([1.0, 2.0], x), {x: [0, 5]})
# --- run time: division by zero
x = tf.placeholder(tf.int32)
with tf.Session() as sess:
    sess.run(4 // x, {x: 0})
# --- run time: concat
x = tf.placeholder(tf.float32)
with tf.Session() as sess:
    sess.run(tf.concat([x, tf.zeros([2, 2])], 0), {x: np.ones((1, 3))})
# --- run time: slice
x = tf.placeholder(tf.float32)
with tf.Session() as sess:
    sess.run(x[3], {x: [1.0, 2.0]})
# --- run time: labels out of range
x = tf.placeholder(tf.int32, [2])
loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=x, logits=tf.zeros([2, 3]))
with tf.Session() as sess:
    sess.run(loss, {x: [0, 7]})
# --- run time: a matrix that is singular
x = tf.placeholder(tf.float32, [2, 2])
with tf.Session() as sess:
    sess.run(tf.matrix_inverse(x), {x: np.zeros((2, 2))})
# --- run time: squeeze
x = tf.placeholder(tf.float32)
with tf.Session() as sess:
    sess.run(tf.squeeze(x, [0]), {x: np.zeros((2, 2))})
# --- run time: split
x = tf.placeholder(tf.float32)
with tf.Session() as sess:
    sess.run(tf.split(x, 2), {x: np.zeros((3,))})
# --- run time: stack
x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
with tf.Session() as sess:
    sess.run(tf.stack([x, y]), {x: np.zeros((3,)), y: np.zeros((2,))})
# --- run time: strings
with tf.Session() as sess:
    sess.run(tf.string_to_number(tf.constant("abc")))
# --- run time: one element too many
x = tf.placeholder(tf.float32)
with tf.Session() as sess:
    sess.run(tf.range(x, 1.0, -0.5), {x: 0.0})
# --- built: slice out of range
tf.slice(tf.zeros([2, 3]), [0, 2], [1, 5])
# --- built: slice of another rank
tf.slice(tf.zeros([2, 3]), [0], [1])
# --- built: pad of another rank
tf.pad(tf.zeros([2, 3]), [[1, 1], [1, 1], [1, 1]])
# --- built: tile of another rank
tf.tile(tf.zeros([2, 3]), [2, 2, 2])
# --- built: transpose twice the same axis
tf.transpose(tf.zeros([2, 3]), [0, 0])
# --- built: cumsum of a missing axis
tf.cumsum(tf.zeros([2, 3]), 2)
# --- built: reverse of a missing axis
tf.reverse(tf.zeros([2, 3]), [2])
# --- built: gather of a missing axis
tf.gather(tf.zeros([2, 3]), [0], axis=3)
# --- built: broadcast_to
tf.broadcast_to(tf.zeros([2, 3]), [2, 4])
# --- built: split of sizes that do not fit
tf.split(tf.zeros([5]), [2, 2])
# --- built: concat of a missing axis
tf.concat([tf.zeros([2]), tf.zeros([2])], 1)
# --- built: random numbers of a negative shape
tf.random_uniform([-2])
# --- built: an empty range
tf.range(5.0, 1.0, 0.5)
# --- built: expand_dims of a vector of axes
tf.expand_dims(tf.zeros([2]), [0, 1])
# --- built: argmax of a scalar
tf.argmax(tf.constant(1.0), 0)
# --- built: reduce over the same axis twice
tf.reduce_sum(tf.zeros([2, 3]), [0, 0])
# --- built: unstack another number
tf.unstack(tf.zeros([2, 3]), num=3)
# --- built: strided slice with a zero stride
tf.zeros([4])[::0]
# --- built: squeeze a missing axis
tf.squeeze(tf.zeros([1, 3]), [2])
# --- built: batch matmul of wrong batches
tf.matmul(tf.zeros([2, 3, 4]), tf.zeros([5, 4, 2]))
# --- built: max pool of a matrix
tf.nn.max_pool(tf.zeros([2, 2]), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
# --- built: max pool with a short window
tf.nn.max_pool(tf.zeros([1, 2, 2, 1]), [1, 2, 2], [1, 2, 2, 1], "SAME")
# --- built: add_n of different shapes
tf.add_n([tf.zeros([2]), tf.zeros([3])])
# --- built: add_n of nothing
tf.add_n([])
# --- built: select of another dtype
tf.where([True], tf.zeros([1]), tf.zeros([1], tf.int32))
# --- built: assign of another shape
v = tf.Variable([1.0, 2.0])
v.assign([1.0])
# --- built: assign of another type
v = tf.Variable([1.0, 2.0])
v.assign(tf.constant([1, 2]))
# --- built: scatter of another type
v = tf.Variable([1.0, 2.0])
tf.scatter_update(v, [0], tf.constant([1]))
# --- built: embedding of floats
tf.nn.embedding_lookup(tf.zeros([3, 2]), [1.0])
# --- built: one_hot of floats
tf.one_hot([1.0], 3)
# --- built: conv2d_transpose
tf.nn.conv2d_transpose(tf.zeros([1, 4, 4, 3]), tf.zeros([3, 3, 5, 4]), [1, 8, 8, 5], [1, 2, 2, 1])
# --- built: dynamic partition
tf.dynamic_partition(tf.zeros([3]), [0, 1], 2)
# --- built: segment sum
tf.segment_sum(tf.zeros([3]), tf.zeros([2, 2], tf.int32))
# --- built: sparse tensor
tf.SparseTensor([[0, 1]], [1.0, 2.0], [3, 2])
# --- built: matrix inverse of a vector
tf.matrix_inverse(tf.zeros([3]))
# --- built: matrix inverse of no square
tf.matrix_inverse(tf.zeros([3, 2]))
# --- built: diag part
tf.diag_part(tf.zeros([3, 2]))
# --- built: in_top_k
tf.nn.in_top_k(tf.zeros([3, 2]), [1], 1)
# --- built: batch norm
tf.nn.fused_batch_norm(tf.zeros([1, 2, 2, 3]), tf.zeros([4]), tf.zeros([4]))
# --- built: resize
tf.image.resize_bilinear(tf.zeros([2, 2]), [4, 4])
# --- built: reshape unknown elements
tf.reshape(tf.placeholder(tf.float32, [None, 3]), [2, 2])
# --- built: reshape that does not divide
tf.reshape(tf.zeros([7]), [-1, 2])
# --- built: space_to_depth
tf.space_to_depth(tf.zeros([1, 3, 3, 1]), 2)
