# --- one sequence example
T = tf.train
ints = lambda v: T.Feature(int64_list=T.Int64List(value=v))
words = lambda v: T.Feature(bytes_list=T.BytesList(value=v))
context = T.Features(feature={"len": ints([3]), "id": words([b"u"])})
t = T.FeatureList(feature=[ints([i, i + 1]) for i in range(3)])
w = T.FeatureList(feature=[words([b"x"] * i) for i in range(3)])
lists = T.FeatureLists(feature_list={"t": t, "w": w})
data = T.SequenceExample(context=context, feature_lists=lists).SerializeToString()
F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
known = {"len": F([], tf.int64), "id": V(tf.string)}
rows = {"t": Rows([2], tf.int64), "w": V(tf.string)}
show(tf.parse_single_sequence_example(data, known, rows))
missing = {"q": Rows([2], tf.int64, allow_missing=True)}
show(tf.parse_single_sequence_example(data, {"z": F([], tf.int64, 5)}, missing))
# --- a batch of sequence examples
T = tf.train
ints = lambda v: T.Feature(int64_list=T.Int64List(value=v))
words = lambda v: T.Feature(bytes_list=T.BytesList(value=v))
context = T.Features(feature={"len": ints([3]), "id": words([b"u"])})
t = T.FeatureList(feature=[ints([i, i + 1]) for i in range(3)])
w = T.FeatureList(feature=[words([b"x"] * i) for i in range(3)])
lists = T.FeatureLists(feature_list={"t": t, "w": w})
data = T.SequenceExample(context=context, feature_lists=lists).SerializeToString()
F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
known = {"len": F([], tf.int64), "id": V(tf.string)}
rows = {"t": Rows([2], tf.int64), "w": V(tf.string)}
show(tf.io.parse_sequence_example([data, data], known, rows))
# --- a list that is missing
T = tf.train
ints = lambda v: T.Feature(int64_list=T.Int64List(value=v))
words = lambda v: T.Feature(bytes_list=T.BytesList(value=v))
context = T.Features(feature={"len": ints([3]), "id": words([b"u"])})
t = T.FeatureList(feature=[ints([i, i + 1]) for i in range(3)])
w = T.FeatureList(feature=[words([b"x"] * i) for i in range(3)])
lists = T.FeatureLists(feature_list={"t": t, "w": w})
data = T.SequenceExample(context=context, feature_lists=lists).SerializeToString()
F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
known, rows = {"len": F([], tf.int64)}, {"q": Rows([2], tf.int64)}
tf.parse_single_sequence_example(data, known, rows)
# --- a step of another size
T = tf.train
ints = lambda v: T.Feature(int64_list=T.Int64List(value=v))
words = lambda v: T.Feature(bytes_list=T.BytesList(value=v))
context = T.Features(feature={"len": ints([3]), "id": words([b"u"])})
t = T.FeatureList(feature=[ints([i, i + 1]) for i in range(3)])
w = T.FeatureList(feature=[words([b"x"] * i) for i in range(3)])
lists = T.FeatureLists(feature_list={"t": t, "w": w})
data = T.SequenceExample(context=context, feature_lists=lists).SerializeToString()
F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
rows = {"t": Rows([3], tf.int64)}
tf.parse_single_sequence_example(data, {}, rows)
