"""String tensors in every mode, and RE2's syntax."""

import time

import numpy as np
import pytest

import twinflow as tf
from tests import ways
from twinflow.base import errors
from twinflow.ops.strings import regex


@pytest.mark.parametrize("way", ways.WAYS)
def test_a_program_of_strings(way):
    def f(words):
        both = tf.strings.join([words, tf.constant("z\0")])
        long = tf.strings.length(both) > 3
        kept = tf.boolean_mask(tf.where(long, both, words), long)
        last = tf.cond(tf.equal(kept[0], "abcz\0"), lambda: kept[-1], lambda: words[0])
        _, looped = tf.while_loop(
            lambda i, _: i < 2, lambda i, s: (i + 1, s + "k"), [tf.constant(0), last]
        )
        return tf.stack([looped, both[0]]), tf.reduce_sum(tf.strings.length(both))

    words = np.array([b"abc", b"d", b"\0\0"], object)
    found, total = ways.run(way, lambda: f, words)
    assert found.tolist() == [b"\0\0z\0kk", b"abcz\0"] and total == 12


def test_text_becomes_bytes_as_it_is():
    with ways.eager():
        assert tf.constant(["a\0", b"\xff", "ü"]).numpy().tolist() == [
            b"a\0", b"\xff", "ü".encode()
        ]  # fmt: skip
        assert tf.constant(b"\0").numpy() == b"\0"
        with pytest.raises(ValueError, match="non-rectangular"):
            tf.constant([["a", "b"], ["c"]])
        with pytest.raises(ValueError, match="mixed types"):
            tf.constant([1, "a"])


def test_a_scalar_in_a_function_stays_a_string():
    with ways.eager():
        f = tf.contrib.eager.defun(lambda s: tf.gather(s, 0) + tf.constant(["a\0"])[0])
        assert f(tf.constant(["x"])).numpy() == b"xa\0"
    with tf.Graph().as_default(), tf.Session() as session:
        (one,) = tf.unstack(tf.constant(["a\0"]))
        found = session.run(one)
        assert type(found) is bytes and found == b"a\0"


def test_a_variable_of_strings():
    with tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(["a", "b"])
        longer = v.assign(tf.strings.join([v, "c"]))
        session.run(tf.global_variables_initializer())
        assert session.run(longer).tolist() == [b"ac", b"bc"]


def test_control_dependencies_of_constants_are_kept():
    """Folding a constant must not drop the check that it waits for."""
    with tf.Graph().as_default(), tf.Session() as session:
        bad = tf.verify_tensor_all_finite(tf.constant([np.nan]), "bad")
        with pytest.raises(errors.InvalidArgumentError, match="bad : Tensor had NaN"):
            session.run(bad)
        with tf.control_dependencies([tf.check_numerics(tf.constant(np.inf), "inf")]):
            after = tf.constant(1)
        with pytest.raises(errors.InvalidArgumentError, match="inf : Tensor had Inf"):
            session.run(after)


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        (r"\d+", "12", True),
        (r"\d+", "\u0663", False),  # an Arabic digit
        (r"[^\W\d]+", "ab_", True),
        (r"a$", "a\n", False),
        (r"(?m)a$\n", "a\n", True),
        (r"\Qa.b\E.", "a.bc", True),
        (r"[[:alpha:]_-]+", "ab-_", True),
        (r"[[:^alpha:]]+", "12", True),
        (r"\x{263a}\141", "\u263aa", True),
        (r"\pL\P{Lu}", "aü", True),
        (r"a(?i:B)c(?i)D", "abcd", True),
        (r"(a(?i)b)c", "aBC", False),
        (r"[a\]]+", "a]", True),
        (r"[]a]+", "]a", True),
        (r"a{2,3}?", "aa", True),
        (r"x*", "", True),
        (r"\bfoo\b", "foo", True),
        (r"a|ab", "ab", True),
    ],
)
def test_patterns_mean_what_they_mean_in_re2(pattern, text, matches):
    assert regex.full_match(regex.compiled(pattern.encode()), text.encode()) == matches


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(", "missing ): ("),
        ("a)", "missing ): a)"),
        ("[a", "missing ]: [a"),
        ("*", "no argument for repetition operator: *"),
        ("a**", "bad repetition operator: **"),
        ("\\", "trailing \\"),
        (r"\8", r"invalid escape sequence: \8"),
        (r"(a)\1", r"invalid escape sequence: \1"),
        ("(?=a)", "invalid perl operator: (?="),
    ],
)
def test_patterns_that_re2_refuses(pattern, why):
    with pytest.raises(errors.InvalidArgumentError) as raised:
        regex.compiled(pattern.encode())
    assert str(raised.value) == f"Invalid pattern: {pattern}, error: {why}"


@pytest.mark.parametrize(
    ("value", "pattern", "rewrite", "everywhere", "wanted"),
    [
        ("aé", "x*", "-", True, "-a-é-"),  # not between the bytes of a character
        ("abxab", "b*", "-", True, "-a-x-a-"),
        ("abab", "(a)", r"z\q-", True, "zbzb"),
        ("abab", "(a)", r"z\q-", False, "abab"),
        ("abab", "(a)", r"\2x", True, "xbxb"),
        ("abab", "(a)", r"\2x", False, "xbab"),
        ("abab", "(a)|(b)", r"[\2]", True, "[][b][][b]"),
        (b"a\xff b", ".", "-", True, b"-\xff--"),
        (b"\xff", r"\C", "-", True, b"-"),
    ],
)
def test_replacements_as_in_tensorflow(
    eager, value, pattern, rewrite, everywhere, wanted
):
    found = tf.regex_replace([value], pattern, rewrite, everywhere).numpy()
    assert found[0] == (wanted if isinstance(wanted, bytes) else wanted.encode())


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(.*)*b$", "(a|a|ab?)*$"])
@pytest.mark.parametrize("static", [True, False])
def test_no_pattern_needs_more_than_linear_time(eager, pattern, static):
    """Python's own engine tries every way to share the letters out."""
    value, rewrite = "a" * 50_000 + "!", "" if static else tf.constant("")
    taken = pattern if static else tf.constant(pattern)
    began = time.process_time()
    assert not tf.strings.regex_full_match([value], pattern).numpy()[0]
    assert not tf.strings.regex_full_match([value], tf.constant(pattern)).numpy()[0]
    assert tf.regex_replace([value[:2000]], taken, rewrite).shape == [1]
    assert time.process_time() - began < 5


def test_a_sparse_split_in_a_graph():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.string, [None])
        split = tf.string_split(x, ",")
        assert split.indices.shape.as_list() == [None, 2]
        found = session.run(split, {x: ["a,b", "", "c"]})
        assert found.indices.tolist() == [[0, 0], [0, 1], [2, 0]]
        assert found.values.tolist() == [b"a", b"b", b"c"]
        assert found.dense_shape.tolist() == [3, 2]
