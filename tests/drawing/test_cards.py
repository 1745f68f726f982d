"""Cards of all kinds of objects: escaped, closed, without scripts, run by nothing."""

import html.parser
import re

import numpy as np
import pytest

import twinflow as tf
from twinflow.base import dispatch
from twinflow.drawing import cards
from twinflow.eager.mode import MODE

K = tf.keras
WORDS = re.compile(r"[\w-]+")
TAGS = WORDS.findall("""div pre table tr th td br details summary svg title g rect path
text circle polyline defs marker progress""")
NAMES = WORDS.findall("""style open xmlns role width height viewbox x y cx cy r rx d
fill stroke id fill-opacity stroke-width stroke-opacity stroke-dasharray text-anchor
font-size points font-family font-weight transform paint-order marker-end orient refx
refy markerwidth markerheight max value""")
FIXED = re.compile(r"white(?!-space)|black|#fff|#000")  # a notebook is dark or light
EVIL = "</title></td><script>alert(1)</script><img src=x onerror='alert(2)'>&\"'"


class Page(html.parser.HTMLParser):
    """What a browser sees: tags in order, attributes, text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.texts = set(), [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        for name, value in attrs:
            assert name in NAMES, name
            assert "url(" not in (value or "").replace("url(#tip)", "")
            assert name == "xmlns" or "//" not in (value or "")
        if tag != "br":
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def page(value):
    """The text of a value's card, which is looked at."""
    shown = value._repr_html_()
    found = Page(shown)
    assert found.tags <= {*TAGS}
    assert not FIXED.search(shown.lower())
    return " ".join(" ".join(found.texts).split())


def eagerly(function):
    def test(*args):
        with dispatch.entered(MODE):
            function(*args)

    test.__name__ = function.__name__
    return test


def trained():
    model = K.Sequential([K.layers.Dense(4, activation="relu", input_shape=(3,)),
                          K.layers.Dense(1)])  # fmt: skip
    model.compile("sgd", "mse")
    x = np.ones((6, 3), np.float32)
    return model, model.fit(x, x[:, :1], epochs=2, validation_split=0.5, verbose=0)


def graph():
    with tf.Graph().as_default() as found:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        w = tf.get_variable("w", [3, 2])
        y = tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2.0), (0, x @ w))
        tf.reduce_sum(y[1], name="last")
    return found


# ------------------------------------------------------------------ tensors
@eagerly
def test_a_small_tensor_is_its_repr():
    assert tf.constant([[1.0, 2.0]])._repr_html_() is None
    assert tf.constant(np.zeros(100))._repr_html_() is None
    assert tf.contrib.eager.Variable([1.0])._repr_html_() is None


@eagerly
def test_statistics_of_a_large_tensor():
    values = np.arange(200, dtype=np.float32).reshape(10, 20) - 50
    values[0, :3] = np.nan, np.inf, 0
    text = page(tf.constant(values))
    for words in ("float32[10, 20]", "NaN 1", "infinite 1", "least -47", "most 149"):
        assert words in text, words
    assert "heat map" in text and "not finite" in text
    rest = values[np.isfinite(values)]
    assert f"mean {rest.mean():.4g}" in text and f"deviation {rest.std():.4g}" in text


@eagerly
def test_what_is_drawn_of_a_tensor():
    kinds = {
        "histogram": [np.random.rand(300), np.arange(200) > 5, np.zeros([5, 6, 7])],
        "heat map": [np.eye(20), np.zeros([8, 9, 3], np.uint8), np.ones([2, 8, 9, 1])],
    }
    for picture, arrays in kinds.items():
        for array in arrays:
            assert picture in page(tf.constant(array))
    assert "true 97.0%" in page(tf.constant(np.arange(200) > 5))
    half = tf.cast(tf.random_normal([200]), tf.bfloat16)
    assert "bfloat16[200]" in page(half)
    assert "complex64[150]" in page(tf.complex(tf.ones([150]), tf.ones([150])))


@eagerly
def test_values_that_are_not_numbers():
    nothing = page(tf.constant(np.full([300], np.nan)))
    assert "NaN 300" in nothing and "mean" not in nothing
    assert "histogram -1e+308 1e+308" in page(tf.constant([1e308, -1e308] * 60,
                                                          tf.float64))  # fmt: skip
    assert "alert(1)" in page(tf.constant([EVIL] * 200))
    assert tf.zeros([200, 0, 3])._repr_html_() is None


@eagerly
def test_a_large_tensor_is_looked_at_in_part():
    text = page(tf.zeros([2000, 1500]))
    assert "looked at 1,000,000" in text and len(text) < 4000


def test_tensors_of_a_graph_are_not_run():
    found = graph()
    before = len(found.nodes)
    last = found.get_tensor_by_name("last:0")
    assert "Sum last" in page(last) and "while" in page(last)
    assert "results" in page(last.op)
    assert len(found.nodes) == before


# ------------------------------------------------------------------ programs
def test_a_graph():
    text = page(graph())
    for words in (
        "1 input", "picture", "ops by type", "MatMul 1", "While while/while body 6",
        "variable w float32[3, 2]",
    ):  # fmt: skip
        assert words in text, words
    with tf.Graph().as_default() as empty:
        assert "0 nodes" in page(empty)


@eagerly
def test_a_function():
    @tf.function
    def double(x, *, by=2.0):
        return x * by

    assert "not called yet" in page(double)
    double(tf.ones([2]))
    double(tf.ones([3]))
    text = page(double)
    for words in ("double(x, *, by=2.0)", "2 traces", "the first call",
                  "x: float32(2,) became float32(3,)", "the way it runs"):  # fmt: skip
        assert words in text, words
    concrete = double.get_concrete_function(tf.ones([2]))
    assert "function double" in page(concrete) and "result" in page(concrete)


@eagerly
def test_a_tape():
    v = tf.contrib.eager.Variable(tf.ones([3, 3]), name="v")
    tape = tf.GradientTape(persistent=True)
    assert "has not begun" in page(tape)
    with tape:
        y = tf.reduce_sum(v * v)
        assert "GradientTape: records" in page(tape)
    text = page(tape)
    assert "persistent" in text and "v:0" in text and "Mul 1 36 bytes" in text
    assert tape.gradient(y, v).numpy().tolist() == [[2.0] * 3] * 3


@eagerly
def test_a_card_is_not_recorded():
    v = tf.contrib.eager.Variable(tf.ones([20, 20]))
    with tf.GradientTape() as tape:
        page(v)
        page(tape)
    assert tape.watched_variables() == () and not tape.records


# ------------------------------------------------------------------ keras
@pytest.mark.parametrize("eager", [True, False])
def test_models_and_layers(eager):
    with dispatch.entered(MODE) if eager else tf.Graph().as_default():
        model, history = trained()
        text = page(model)
        for words in ("21 numbers", "Dense (?, 4) 16", "for mse", "picture"):
            assert words in text, words
        layer = page(model.layers[0])
        assert "kernel:0 float32 [3, 4] 12" in layer and "'relu'" in layer
        curves = page(history)
        assert "2 epochs" in curves and "val_loss" in curves


@eagerly
def test_models_that_are_not_built_or_nested():
    class Own(K.Model):
        def __init__(self):
            super().__init__(name="own")
            self.inner = K.layers.Dense(2)

        def call(self, x):
            return self.inner(x)

    model = Own()
    assert "not built" in page(model)
    model(tf.ones([1, 3]))
    assert "8 numbers" in page(model)
    inputs = K.layers.Input((3,))
    whole = K.Model(inputs, K.Sequential([K.layers.Dense(2)], name="part")(inputs))
    assert "part Sequential (?, 2) 8" in page(whole)
    assert "not built" in page(K.layers.Dense(3))
    assert "0 epochs" in page(K.callbacks.History())


# ------------------------------------------------------------------ injection
@eagerly
def test_names_and_values_stay_text():
    v = tf.contrib.eager.Variable(tf.ones([20, 20]), name=EVIL)
    with tf.GradientTape() as tape:
        tf.reduce_sum(v)
    layer = K.layers.Dense(2, name="n")
    layer._name = EVIL
    model = K.Sequential([layer], name="m")
    model._name = EVIL
    history = K.callbacks.History()
    history.on_train_begin()
    history.on_epoch_end(0, {EVIL: 1.0, f"val_{EVIL}": 2.0})
    data = tf.data.Dataset.from_tensors({EVIL: [EVIL]})
    function = tf.contrib.eager.defun(lambda x: x + 1)
    function.name = EVIL
    function(tf.ones([2]))
    for value in (v, tape, layer, model, history, data, function):
        assert "alert" in page(value), type(value)
    with tf.Graph().as_default() as found:
        x = tf.placeholder(tf.float32, name="x")
        x.op.name = EVIL
    for value in (x, x.op, found):
        assert "alert" in page(value), type(value)


def test_texts_are_escaped_once_and_cut():
    assert cards.text("<b>") == "&lt;b&gt;"
    assert cards.text(cards.text("<b>")) == "&lt;b&gt;"
    assert cards.text("a\x1b[0m\x00b") == "a\ufffd[0m\ufffdb"
    assert len(cards.text("x" * 999)) == 200
    rows = cards.table([(i,) for i in range(9)], most=4)
    assert rows.count("<tr") == 4 and "5 more" in rows
    assert cards.folded("nothing") == ""
