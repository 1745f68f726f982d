# --- dense
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"a": F([2], tf.int64), "b": F([], tf.float32, 0.0)}))
# --- sparse
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"s": V(tf.string), "v": V(tf.int64)}))
# --- missing
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"b": F([], tf.float32)}))
# --- missing name
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"b": F([], tf.float32)}, example_names=["n1", "n2", "n3"]))
# --- size
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"a": F([3], tf.int64)}))
# --- type
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"a": F([2], tf.float32)}))
# --- typev
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"a": V(tf.float32)}))
# --- seq
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(
    tf.parse_example(
        E2,
        {
            "v": tf.FixedLenSequenceFeature([], tf.int64, allow_missing=True),
            "s": tf.FixedLenSequenceFeature(
                [], tf.string, allow_missing=True, default_value="q"
            ),
        },
    )
)
# --- seq2
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(
    tf.parse_example(
        E2, {"a": tf.FixedLenSequenceFeature([2], tf.int64, allow_missing=True)}
    )
)
# --- seqno
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"v": tf.FixedLenSequenceFeature([], tf.int64)}))
# --- spf
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(
    tf.parse_example(
        [ex(i=[3, 1], v=[1.0, 2.0]), ex(i=[0], v=[3.0])],
        {"q": tf.SparseFeature("i", "v", tf.float32, 5)},
    )
)
# --- spf2
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(
    tf.parse_example(
        [ex(i=[3, 1], j=[0, 1], v=[1.0, 2.0]), ex(i=[0], j=[1], v=[3.0])],
        {"q": tf.SparseFeature(["i", "j"], "v", tf.float32, [5, 2])},
    )
)
# --- single
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(
    tf.parse_single_example(
        E2[0],
        {
            "a": F([2], tf.int64),
            "s": V(tf.string),
            "b": F([], tf.float32, 0.0),
            "v": V(tf.int64),
        },
    )
)
# --- single missing
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_single_example(E2[1], {"b": F([], tf.float32)}))
# --- nofeat
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {}))
# --- nofeat2
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, None))
# --- badfeat
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"a": 3}))
# --- noshape
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"a": F(None, tf.int64)}))
# --- unkshape
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"a": F([None, 2], tf.int64)}))
# --- scalar in
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2[0], {"a": F([2], tf.int64)}))
# --- def2
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"q": F([2], tf.float32, [1.0, 2.0])}))
# --- names
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(tf.parse_example(E2, {"a": F([2], tf.int64)}, name="zz"))
# --- seqex
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


se = T.SequenceExample(
    context=T.Features(
        feature={
            "len": T.Feature(int64_list=T.Int64List(value=[3])),
            "id": T.Feature(bytes_list=T.BytesList(value=[b"u"])),
        }
    ),
    feature_lists=T.FeatureLists(
        feature_list={
            "t": T.FeatureList(
                feature=[
                    T.Feature(int64_list=T.Int64List(value=[i, i + 1]))
                    for i in range(3)
                ]
            ),
            "w": T.FeatureList(
                feature=[
                    T.Feature(bytes_list=T.BytesList(value=[b"x"] * i))
                    for i in range(3)
                ]
            ),
        }
    ),
).SerializeToString()
F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(
    tf.parse_single_sequence_example(
        se,
        {"len": F([], tf.int64), "id": V(tf.string)},
        {"t": tf.FixedLenSequenceFeature([2], tf.int64), "w": V(tf.string)},
    )
)
# --- seqex missing
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


se = T.SequenceExample(
    context=T.Features(
        feature={
            "len": T.Feature(int64_list=T.Int64List(value=[3])),
            "id": T.Feature(bytes_list=T.BytesList(value=[b"u"])),
        }
    ),
    feature_lists=T.FeatureLists(
        feature_list={
            "t": T.FeatureList(
                feature=[
                    T.Feature(int64_list=T.Int64List(value=[i, i + 1]))
                    for i in range(3)
                ]
            ),
            "w": T.FeatureList(
                feature=[
                    T.Feature(bytes_list=T.BytesList(value=[b"x"] * i))
                    for i in range(3)
                ]
            ),
        }
    ),
).SerializeToString()
F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
context, lists = (
    {"len": F([], tf.int64)},
    {"q": tf.FixedLenSequenceFeature([2], tf.int64)},
)
found = tf.parse_single_sequence_example(se, context, lists)
show(found)
# --- seqex allow
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


se = T.SequenceExample(
    context=T.Features(
        feature={
            "len": T.Feature(int64_list=T.Int64List(value=[3])),
            "id": T.Feature(bytes_list=T.BytesList(value=[b"u"])),
        }
    ),
    feature_lists=T.FeatureLists(
        feature_list={
            "t": T.FeatureList(
                feature=[
                    T.Feature(int64_list=T.Int64List(value=[i, i + 1]))
                    for i in range(3)
                ]
            ),
            "w": T.FeatureList(
                feature=[
                    T.Feature(bytes_list=T.BytesList(value=[b"x"] * i))
                    for i in range(3)
                ]
            ),
        }
    ),
).SerializeToString()
F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(
    tf.parse_single_sequence_example(
        se,
        {"z": F([], tf.int64, 5)},
        {"q": tf.FixedLenSequenceFeature([2], tf.int64, allow_missing=True)},
    )
)
# --- seqex size
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


se = T.SequenceExample(
    context=T.Features(
        feature={
            "len": T.Feature(int64_list=T.Int64List(value=[3])),
            "id": T.Feature(bytes_list=T.BytesList(value=[b"u"])),
        }
    ),
    feature_lists=T.FeatureLists(
        feature_list={
            "t": T.FeatureList(
                feature=[
                    T.Feature(int64_list=T.Int64List(value=[i, i + 1]))
                    for i in range(3)
                ]
            ),
            "w": T.FeatureList(
                feature=[
                    T.Feature(bytes_list=T.BytesList(value=[b"x"] * i))
                    for i in range(3)
                ]
            ),
        }
    ),
).SerializeToString()
F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
context, lists = {}, {"t": tf.FixedLenSequenceFeature([3], tf.int64)}
found = tf.parse_single_sequence_example(se, context, lists)
show(found)
# --- seqexb
T = tf.train


def ex(**kw):
    f = {}
    for k, v in kw.items():
        v = np.asarray(v)
        if v.dtype.kind in "SUO":
            words = [str(x).encode() for x in v.ravel().tolist()]
            f[k] = T.Feature(bytes_list=T.BytesList(value=words))
        elif v.dtype.kind == "f":
            f[k] = T.Feature(float_list=T.FloatList(value=v.ravel()))
        else:
            f[k] = T.Feature(int64_list=T.Int64List(value=v.ravel()))
    return T.Example(features=T.Features(feature=f)).SerializeToString()


se = T.SequenceExample(
    context=T.Features(
        feature={
            "len": T.Feature(int64_list=T.Int64List(value=[3])),
            "id": T.Feature(bytes_list=T.BytesList(value=[b"u"])),
        }
    ),
    feature_lists=T.FeatureLists(
        feature_list={
            "t": T.FeatureList(
                feature=[
                    T.Feature(int64_list=T.Int64List(value=[i, i + 1]))
                    for i in range(3)
                ]
            ),
            "w": T.FeatureList(
                feature=[
                    T.Feature(bytes_list=T.BytesList(value=[b"x"] * i))
                    for i in range(3)
                ]
            ),
        }
    ),
).SerializeToString()
F, V = tf.FixedLenFeature, tf.VarLenFeature
E2 = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
show(
    tf.io.parse_sequence_example(
        [se, se],
        {"len": F([], tf.int64), "id": V(tf.string)},
        {"t": tf.FixedLenSequenceFeature([2], tf.int64), "w": V(tf.string)},
    )
)
