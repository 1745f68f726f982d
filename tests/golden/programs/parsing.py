# --- batches
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
show(tf.parse_example(E, {"a": F([2], tf.int64), "b": F([], tf.float32, 0.0)}))
show(tf.parse_example(E, {"s": V(tf.string), "v": V(tf.int64)}))
show(
    tf.parse_example(
        E,
        {
            "v": Rows([], tf.int64, allow_missing=True),
            "s": Rows([], tf.string, allow_missing=True, default_value="q"),
        },
    )
)
show(tf.parse_example(E, {"a": Rows([2], tf.int64, allow_missing=True)}))
show(tf.parse_example(E, {"q": F([2], tf.float32, [1.0, 2.0])}))
show(tf.parse_example(E, {"a": F([2], tf.int64)}, name="zz"))
joined = tf.SparseFeature("i", "v", tf.float32, 5)
both = tf.SparseFeature(["i", "j"], "v", tf.float32, [5, 2])
E = [ex(i=[3, 1], j=[0, 1], v=[1.0, 2.0]), ex(i=[0], j=[1], v=[3.0])]
E = [e.SerializeToString() for e in E]
show(tf.parse_example(E, {"q": joined}))
show(tf.parse_example(E, {"q": both}))


# --- one record
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
show(
    tf.parse_single_example(
        E[0],
        {
            "a": F([2], tf.int64),
            "s": V(tf.string),
            "b": F([], tf.float32, 0.0),
            "v": V(tf.int64),
        },
    )
)


# --- missing
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = {"b": F([], tf.float32)}
tf.parse_example(E, features)


# --- missing name
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = {"b": F([], tf.float32)}
tf.parse_example(E, features, example_names=["n1", "n2", "n3"])


# --- size
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = {"a": F([3], tf.int64)}
tf.parse_example(E, features)


# --- type
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = {"a": F([2], tf.float32)}
tf.parse_example(E, features)


# --- typev
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = {"a": V(tf.float32)}
tf.parse_example(E, features)


# --- seqno
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = {"v": Rows([], tf.int64)}
tf.parse_example(E, features)


# --- single missing
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = {"b": F([], tf.float32)}
tf.parse_single_example(E[1], features)


# --- nofeat
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = {}
tf.parse_example(E, features)


# --- nofeat2
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = None
tf.parse_example(E, features)


# --- badfeat
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = {"a": 3}
tf.parse_example(E, features)


# --- noshape
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = {"a": F(None, tf.int64)}
tf.parse_example(E, features)


# --- unkshape
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = {"a": F([None, 2], tf.int64)}
tf.parse_example(E, features)


# --- scalar in
def ex(**kw):
    parts = []
    for key, v in kw.items():
        kind = {str: "bytes", float: "float", int: "int64"}[type(v[0])]
        value = [x.encode() if kind == "bytes" else x for x in v]
        made = getattr(tf.train, kind.capitalize() + "List")(value=value)
        parts.append((key, tf.train.Feature(**{kind + "_list": made})))
    return tf.train.Example(features=tf.train.Features(feature=dict(parts)))


F, V, Rows = tf.FixedLenFeature, tf.VarLenFeature, tf.FixedLenSequenceFeature
E = [
    ex(a=[1, 2], b=[1.5], s=["x", "y"]),
    ex(a=[3, 4], s=["z"]),
    ex(a=[5, 6], b=[2.5], v=[7, 8, 9]),
]
E = [e.SerializeToString() for e in E]
features = {"a": F([2], tf.int64)}
tf.parse_example(E[0], features)
