# --- functions of one tensor
x = tf.constant([0.1, 0.5, 0.9])
names = "acos asin atan asinh atanh digamma is_finite is_inf is_nan to_bfloat16 to_complex64 to_complex128 guarantee_const".split()
found = [getattr(tf, n)(x) for n in names] + [tf.acosh(x + 1.)]
show(found)
with tf.Session() as session:
    show(session.run(found))
# --- functions of two tensors
x, y = tf.constant([0.5, 2., 3.5]), tf.constant([1.5, -0.5, 2.])
found = [tf.atan2(x, y), tf.igamma(x, tf.abs(y)), tf.igammac(x, tf.abs(y)), tf.scalar_mul(2., x), tf.floor_div(x, y), tf.floormod(x, y), tf.realdiv(x, y), tf.scalar_mul(tf.constant(3.), y)]
show(found)
with tf.Session() as session:
    show(session.run(found))
# --- a factor that is no scalar
tf.scalar_mul([1., 2.], tf.constant([1., 2.]))
# --- arrays
x = tf.reshape(tf.range(16.), [1, 4, 4, 1])
found = [
    tf.space_to_batch_nd(x, [2, 2], [[0, 0], [0, 0]]), tf.batch_to_space_nd(tf.reshape(tf.range(8.), [4, 1, 2, 1]), [2, 2], [[0, 0], [1, 0]]),
    tf.depth_to_space(tf.reshape(tf.range(8.), [1, 1, 2, 4]), 2), tf.extract_image_patches(x, [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "SAME"),
    tf.extract_volume_patches(tf.reshape(tf.range(8.), [1, 2, 2, 2, 1]), [1, 2, 1, 2, 1], [1, 1, 1, 1, 1], "VALID"),
    tf.matrix_diag_part([[1., 2.], [3., 4.]]), tf.reverse_v2([[1, 2], [3, 4]], [1]), tf.lin_space(0., 1., 3), tf.arg_max([[1., 3., 2.]], 1), tf.arg_min([1., 3., 0.], 0),
    tf.linalg.band_part([[1., 2., 3.], [4., 5., 6.]], 0, 1), tf.linalg.tensor_diag_part([[1., 2.], [3., 4.]]),
]
show(found)
show(tf.broadcast_static_shape(tf.TensorShape([2, 1]), tf.TensorShape([3])))
with tf.Session() as session:
    show(session.run(found))
# --- different entries
values = tf.constant([3, 1, 3, 2, 1])
unique, places, counts = tf.unique_with_counts(values)
left, at = tf.setdiff1d(values, [1, 5])
show(unique, places, counts, left, at)
with tf.Session() as session:
    show(session.run([unique, places, counts, left, at]))
# --- segments
data, ids = tf.constant([[1., 2.], [3., -4.], [5., 6.], [7., 8.]]), tf.constant([0, 0, 2, 2])
found = [getattr(tf, n)(data, ids) for n in ("segment_max", "segment_mean", "segment_min", "segment_prod")]
found += [getattr(tf, n)(data, [2, 0, 2, -1], 3) for n in ("unsorted_segment_max", "unsorted_segment_min", "unsorted_segment_prod")]
found += [getattr(tf, n)(data, [3, 0, 1], [0, 0, 2]) for n in ("sparse_segment_mean", "sparse_segment_sqrt_n", "sparse_segment_sum")]
show(found)
with tf.Session() as session:
    show(session.run(found))
# --- assertions
x = tf.constant([1, 2, 3])
found = [tf.assert_greater(x, 0), tf.assert_greater_equal(x, 1), tf.assert_less_equal(x, 3), tf.assert_negative(-x), tf.assert_non_negative(x), tf.assert_non_positive(-x), tf.assert_none_equal(x, 7)]
with tf.Session() as session:
    session.run([f for f in found if f is not None])
show(tf.is_numeric_tensor(x), tf.is_numeric_tensor(tf.constant("a")), tf.assert_same_float_dtype([tf.constant(1.), tf.constant(2.)]), tf.assert_proper_iterable([1]))
y = tf.placeholder(tf.int32, [2])
check = tf.assert_greater(y, 5, message="too small")
with tf.Session() as session:
    session.run(check, {y: [9, 3]})
# --- floats of two kinds
tf.assert_same_float_dtype([tf.constant(1.), tf.constant(2., tf.float64)])
# --- nothing to go through
tf.assert_proper_iterable("abc")
# --- texts
words = tf.constant(["ab", "c d", ""])
found = [tf.encode_base64(words), tf.encode_base64(words, pad=True), tf.decode_base64(["YWI", "Y2Q="]), tf.string_strip([" a ", "b\n"]), tf.reduce_join([["a", "b"], ["c", "d"]], 1, separator="-"), tf.reduce_join([["a", "b"], ["c", "d"]], [0, 1])]
found += [tf.serialize_tensor(tf.constant([1, 2])), tf.parse_tensor(tf.serialize_tensor(tf.constant([1, 2])), tf.int32), tf.strings.unicode_script([97, 0x4e00, 0x3b1])]
show(found)
with tf.Session() as session:
    show(session.run(found))
# --- lines of text as columns
a, b, c = tf.decode_csv(["1,2.5,x", "3,,y"], [[0], [9.], [""]])
raw = tf.decode_compressed([b"abc"], "")
with tf.Session() as session:
    show(session.run([a, b, c, raw]))
# --- sparse tensors under their first names
s = tf.SparseTensor([[0, 0], [0, 2], [1, 1]], [1., 2., -3.], [2, 3])
t = tf.SparseTensor([[0, 0], [1, 2]], [4., 5.], [2, 3])
dense = [tf.sparse_reduce_max(s, 1), tf.sparse_to_dense([[0, 1]], [2, 2], 7), tf.sparse_to_indicator(tf.SparseTensor([[0, 0]], [1], [1, 2]), 3)]
found = [tf.sparse_concat(1, [s, t]), tf.sparse_fill_empty_rows(tf.SparseTensor([[1, 0]], [1.], [3, 2]), 9.)[0], tf.sparse_maximum(s, t), tf.sparse_minimum(s, t), tf.sparse_reduce_max_sparse(s, 0), tf.sparse_reduce_sum_sparse(s, 1), tf.sparse_reset_shape(s, [4, 4]), tf.sparse_reshape(s, [3, 2]), tf.sparse_retain(s, [True, False, True]), tf.sparse_slice(s, [0, 1], [2, 2]), tf.sparse_softmax(s), tf.sparse_split(sp_input=s, num_split=2, axis=1)[1], tf.sparse_transpose(s), tf.sparse_merge(tf.SparseTensor([[0, 0], [1, 0]], [1, 2], [2, 1]), tf.SparseTensor([[0, 0], [1, 0]], [.5, .25], [2, 1]), 4)]
many = tf.serialize_many_sparse(s)
found.append(tf.deserialize_many_sparse(many, tf.float32))
show(dense[1:], tf.serialize_sparse(s), many)
with tf.Session() as session:
    show(session.run(dense))
    for value in session.run(found):
        show(value.indices, value.values, value.dense_shape)
# --- windows
x = tf.reshape(tf.range(32.), [1, 4, 4, 2]) / 7. % 1.3
w = tf.reshape(tf.range(8.), [2, 2, 2, 1]) / 5.
dy = tf.ones([1, 4, 4, 1])
volume = tf.reshape(tf.range(27.), [1, 3, 3, 3, 1])
found = [
    tf.nn.conv2d_backprop_filter(x, [2, 2, 2, 1], dy, [1, 1, 1, 1], "SAME"), tf.nn.conv2d_backprop_input([1, 4, 4, 2], w, dy, [1, 1, 1, 1], "SAME"),
    tf.nn.conv2d_backprop_input([1, 5, 4, 2], w, tf.ones([1, 3, 2, 1]), [1, 2, 2, 1], "SAME"),
    tf.nn.depthwise_conv2d_native(x, w, [1, 1, 1, 1], "VALID"), tf.nn.depthwise_conv2d_native_backprop_filter(x, [2, 2, 2, 1], tf.ones([1, 3, 3, 2]), [1, 1, 1, 1], "VALID"),
    tf.nn.depthwise_conv2d_native_backprop_input([1, 4, 4, 2], w, tf.ones([1, 3, 3, 2]), [1, 1, 1, 1], "VALID"),
    tf.nn.conv3d_backprop_filter_v2(volume, [2, 2, 2, 1, 1], tf.ones([1, 2, 2, 2, 1]), [1, 1, 1, 1, 1], "VALID"),
    tf.nn.avg_pool3d(volume, [1, 2, 2, 2, 1], [1, 1, 1, 1, 1], "VALID"), tf.nn.max_pool3d(volume, [1, 2, 2, 2, 1], [1, 2, 2, 2, 1], "SAME"),
    tf.nn.dilation2d(x, w[..., 0], [1, 1, 1, 1], [1, 1, 1, 1], "SAME"), tf.nn.max_pool_with_argmax(x, [1, 2, 2, 1], [1, 2, 2, 1], "SAME"),
    tf.nn.batch_norm_with_global_normalization(x, tf.constant([0.1, 0.2]), tf.constant([1., 2.]), tf.constant([0., 1.]), tf.constant([2., 3.]), 0.001, True),
]
show(found)
with tf.Session() as session:
    show(session.run(found))
# --- boxes
found = [tf.image.draw_bounding_boxes(tf.zeros([1, 4, 4, 3]), tf.constant([[[0., 0., 0.7, 0.7]]])), tf.image.adjust_saturation(tf.constant([[[0.2, 0.5, 0.9]]]), 0.5)]
found += [tf.image.resize_bicubic(tf.reshape(tf.range(4.), [1, 2, 2, 1]), [3, 3]), tf.image.resize_nearest_neighbor(tf.reshape(tf.range(4.), [1, 2, 2, 1]), [3, 4], align_corners=True)]
show(found)
with tf.Session() as session:
    show(session.run(found))
# --- matrices
a = tf.constant([[4., 1.], [1., 3.]])
found = [tf.linalg.expm(a), tf.linalg.logm(tf.cast(a, tf.complex64)), tf.linalg.lstsq(a, [[1.], [2.]]), tf.linalg.triangular_solve(a, [[1.], [2.]])]
found += [tf.ifft(tf.cast([1., 2., 3., 4.], tf.complex64)), tf.fft2d(tf.cast(a, tf.complex64)), tf.ifft2d(tf.cast(a, tf.complex64)), tf.fft3d(tf.ones([2, 1, 2], tf.complex64)), tf.ifft3d(tf.ones([2, 1, 2], tf.complex64))]
show(found[1:])
with tf.Session() as session:
    show(session.run(found))
# --- old names of initialization
v, w = tf.Variable(1., name="v"), tf.Variable(2., name="w", trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES])
show([op.name for op in (tf.initialize_all_variables(), tf.initialize_local_variables(), tf.initialize_variables([v]), tf.initialize_all_tables())], [x.name for x in tf.all_variables()])
with tf.Session() as session:
    session.run(tf.initialize_all_variables()), session.run(tf.initialize_local_variables())
    show(session.run([v, w]))
# --- settings of a scope
with tf.variable_scope("a") as scope:
    scope.set_dtype(tf.float64), scope.set_initializer(tf.constant_initializer(3.)), scope.set_regularizer(lambda t: tf.reduce_sum(t) * 2.)
    scope.set_use_resource(True), scope.set_caching_device("/cpu:0"), scope.set_partitioner(None)
    v = tf.get_variable("v", [2])
    scope.set_custom_getter(lambda getter, name, *args, **kw: getter(name + "_mine", *args, **kw))
    w = tf.get_variable("w", [1])
show(v.dtype, w.name, type(v).__name__, tf.get_collection("regularization_losses"))
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    show(session.run([v, w]))
# --- steps that wait
step = tf.train.get_or_create_global_step()
more = tf.assign_add(step, 1)
with tf.train.MonitoredSession(hooks=[tf.train.GlobalStepWaiterHook(0)]) as session:
    show(int(session.run(more)))
show(tf.train.SessionRunValues(results=1, options=None, run_metadata=None)[0], tf.train.SessionRunArgs("a").fetches)
