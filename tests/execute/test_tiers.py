"""Tiers: what is compiled and when, guards and their rollback, host steps."""

import threading
import time

import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, eager, interpreted, plans, states
from twinflow.execute import tiers
from twinflow.execute.tiers import POLICY, WORKER

tfe = tf.contrib.eager


@pytest.fixture(autouse=True)
def eagerly(monkeypatch):
    """Eager mode, and clusters that are never too fast to be compiled."""
    monkeypatch.setattr(tiers, "TINY", 0.0)
    with eager():
        tf.set_random_seed(None)
        yield
        tf.set_random_seed(None)


@pytest.fixture
def held(monkeypatch):
    """A compiler that waits for the event given to the test."""
    go, compile_now = threading.Event(), WORKER._compile

    def late(*job):
        assert go.wait(60)
        compile_now(*job)

    monkeypatch.setattr(WORKER, "_compile", late)
    yield go
    go.set()


def wait_until(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def only(values):
    (value,) = values
    return value


def counting():
    v = tf.Variable(0.0)
    return tfe.defun(lambda x: v.assign_add(tf.reduce_sum(x)) * 1.0), v


# ------------------------------------------------------------------ when
def test_the_compile_happens_in_the_background_and_swaps_in(held, monkeypatch):
    monkeypatch.setattr(tiers.Entry, "best", property(lambda e: 1e9, lambda e, v: None), raising=False)
    f, v = counting()
    x = tf.ones([4])
    for _ in range(20):
        f(x)
    plan = only(plans(f, x))
    assert states(plan) == ["queued"] and v.numpy() == 80.0
    held.set()
    wait_until(lambda: states(plan) != ["queued"])
    assert states(plan) == ["ready"]
    for _ in range(3):
        f(x)
    assert v.numpy() == 92.0


def test_the_faster_engine_stays(held):
    for best, state in [(1e9, "chosen"), (0.0, "refused")]:
        f, v = counting()
        x = tf.ones([4])
        for _ in range(4):
            f(x)
        plan = only(plans(f, x))
        held.set()
        wait_until(lambda: states(plan) != ["queued"])
        entry = only(only(plan.clusters).entries.values())
        for _ in range(3):
            entry.best = best
            f(x)
        assert entry.state == state
        f(x)
        assert v.numpy() == 32.0
        held.clear()


def test_a_shape_seen_rarely_stays_interpreted(held):
    f, _ = counting()
    x, rare = tf.ones([4]), tf.ones([3])
    for i in range(30):
        f(x)
        if i % 15 == 0:
            f(rare)
    assert states(only(plans(f, rare))) == ["cold"]
    assert states(only(plans(f, x))) == ["queued"]


def test_a_rare_shape_in_a_session_stays_interpreted(held):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        y = tf.reduce_sum(x * 2.0)
        for i in range(10):
            assert session.run(y, {x: np.ones(4)}) == 8.0
        assert session.run(y, {x: np.ones(3)}) == 6.0
        plan = only(session._plans.values())
        assert sorted(states(plan)) == ["cold", "queued"]


def test_a_seeded_program_swaps_at_a_fixed_call(held):
    """Timing never picks the engine, be the compiler early or late."""
    tf.set_random_seed(1)
    held.set()
    f, v = counting()
    x = tf.ones([4])
    for call in range(1, 20):
        f(x)
        plan = only(plans(f, x))
        if call == tiers.HOT_CALLS:
            wait_until(lambda: states(plan) == ["ready"])
        wanted = "cold" if call < tiers.HOT_CALLS else "ready"
        if call != tiers.HOT_CALLS:
            assert states(plan) == ["chosen" if call >= tiers.SWAP_CALL else wanted]
    assert v.numpy() == 76.0


def test_a_seeded_program_waits_for_the_compiler(held):
    tf.set_random_seed(1)
    f, v = counting()
    x = tf.ones([4])
    for _ in range(tiers.SWAP_CALL - 1):
        f(x)
    plan = only(plans(f, x))
    assert states(plan) == ["queued"]
    threading.Timer(0.05, held.set).start()
    f(x)
    assert states(plan) == ["chosen"] and v.numpy() == 4 * tiers.SWAP_CALL


def test_a_seeded_program_does_not_ask_the_clock(held, monkeypatch):
    monkeypatch.setattr(tiers, "TINY", 1e9)
    held.set()
    for seed, state in [(1, "chosen"), (None, "cold")]:
        tf.set_random_seed(seed)
        f, _ = counting()
        x = tf.ones([4])
        for _ in range(tiers.SWAP_CALL):
            f(x)
        assert states(only(plans(f, x))) == [state]


def test_a_seeded_program_draws_the_same_numbers_in_both_engines():
    def draws(x):
        return tf.random_normal([3]) * x + tf.random_uniform([3])

    found = []
    for engine in (interpreted, compiled):
        tf.set_random_seed(3)
        f = tfe.defun(draws)
        with engine():
            found.append([f(tf.constant(2.0)).numpy() for _ in range(3)])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6)


def test_signatures_are_forgotten_when_there_are_too_many():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        y = tf.reduce_sum(x)
        for n in range(tiers.MOST_ENTRIES + 20):
            session.run(y, {x: np.ones(n)})
        cluster = only(only(session._plans.values()).clusters)
        assert len(cluster.entries) == tiers.MOST_ENTRIES


# ------------------------------------------------------------------ guards
def bad_gather(i):
    return tf.gather([1.0, 2.0, 3.0], i)


def bad_label(i):
    logits = tf.reshape(tf.range(3.0), [1, 3])
    labels = tf.reshape(i, [1])
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)[0]


def bad_division(i):
    return tf.cast(tf.floordiv(7, 9 - i), tf.float32)


def bad_in_branch(i):
    return tf.cond(i >= 0, lambda: bad_gather(i), lambda: 0.0)


def bad_in_loop(i):
    return tf.while_loop(lambda j, y: j <= i, lambda j, y: (j + 5, y + bad_gather(j)), [i, 0.0])[1]


def bad_in_condition(i):
    return tf.while_loop(lambda j, y: bad_gather(j) < 0.0, lambda j, y: (j, y), [i, 0.0])[1]


def bad_in_function(i):
    return tfe.defun(bad_gather)(i)


BAD = [
    bad_gather, bad_label, bad_division, bad_in_branch, bad_in_loop, bad_in_condition,
    bad_in_function,
]  # fmt: skip


@pytest.mark.parametrize("engine", [interpreted, compiled])
@pytest.mark.parametrize("bad", BAD)
def test_a_guard_that_fails_changes_nothing_and_names_the_line(bad, engine):
    v, w = tf.Variable([1.0, 2.0]), tf.Variable(5)

    @tfe.defun
    def f(i):
        v.assign_add([1.0, 1.0])
        y = bad(i)
        w.assign(i)
        v.assign(v * y)
        return y

    with engine():
        for _ in range(2):
            f(tf.constant(0))
        before = v.numpy().tolist(), w.numpy()
        for _ in range(2):
            with pytest.raises(tf.errors.InvalidArgumentError) as found:
                f(tf.constant(9))
            assert (v.numpy().tolist(), w.numpy()) == before
        assert "test_tiers.py:" in str(found.value) and "defined at" in str(found.value)
        line = found.value.frames[0][0].co_name
        assert line in ("bad_gather", "bad_label", "bad_division", "<lambda>"), line
        f(tf.constant(1))
        assert w.numpy() == 1
    if engine is compiled:
        assert "chosen" in states(plans(f, tf.constant(0))[0])


def test_a_guard_in_a_session():
    with compiled(), tf.Graph().as_default(), tf.Session() as session:
        v = tf.Variable(0.0)
        i = tf.placeholder(tf.int32, [])
        step = v.assign_add(1.0)
        y = bad_gather(i)
        session.run(v.initializer)
        assert session.run([step, y], {i: 1}) == [1.0, 2.0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="indices = 9"):
            session.run([step, y], {i: 9})
        assert session.run(v) == 1.0
        assert session.run([step, y], {i: 2}) == [2.0, 3.0]


def test_a_guard_under_a_tape():
    v = tf.Variable([1.0, 2.0, 3.0])
    f = tfe.defun(lambda i: tf.gather(v, i) * 2.0)
    with compiled():
        for i in (0, 9, 1):
            with tf.GradientTape() as tape:
                if i == 9:
                    with pytest.raises(tf.errors.InvalidArgumentError):
                        f(tf.constant(i))
                    continue
                y = f(tf.constant(i))
            dv = tf.convert_to_tensor(tape.gradient(y, v)).numpy()
            assert dv.tolist() == [2.0 * (i == k) for k in range(3)]


# ------------------------------------------------------------------ loops
def test_a_loop_that_outgrows_its_stack_is_compiled_anew():
    @tfe.defun
    def f(n, x):
        return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, tf.sin(y) + x), [0, x])[1]

    def slope(n):
        x = tf.constant(0.5)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(tf.constant(n), x)
        return y.numpy(), tape.gradient(y, x).numpy()

    with interpreted():
        wanted = [slope(n) for n in (0, 3, 20, 3, 70, 20)]
    with compiled() as entries:
        found = [slope(n) for n in (0, 3, 20, 3, 70, 20)]
        count = len(entries)
        assert slope(70) == found[4] and slope(70) == found[4]
        for n in (1, 2, 30, 60):
            slope(n)
        assert len(entries) - count <= 2
    np.testing.assert_allclose(found, wanted, rtol=1e-5)


# ------------------------------------------------------------------ host steps
def reshaped(x):
    n = tf.reduce_sum(tf.cast(x > 0.0, tf.int32))
    return tf.reshape(x * 2.0, tf.stack([n, -1])) + 1.0


def test_a_shape_that_depends_on_data_becomes_a_host_step():
    f = tfe.defun(reshaped)
    r = np.random.RandomState(0)
    with compiled():
        for _ in range(12):
            x = r.rand(12).astype(np.float32) + 0.1
            x[: r.choice([0, 6, 8, 9, 10])] *= -1.0
            n = int((x > 0).sum())
            wanted = (x * 2 + 1).reshape(n, -1)
            assert f(tf.constant(x)).numpy().tolist() == wanted.tolist()
    plan = only(plans(f, tf.constant(x)))
    assert [n.type for n in plan.hosts] == ["Reshape"] and len(plan.clusters) == 2


def test_a_shape_that_depends_on_a_variable_becomes_a_host_step():
    v = tf.Variable(2)
    f = tfe.defun(lambda x: tf.reshape(x * 2.0, tf.stack([v, -1])) + tf.exp(x[0]) * 0.0)
    x = tf.ones([12])
    with compiled("Reshape"):
        for n in (2, 3, 4, 6):
            v.assign(n)
            assert f(x).shape.as_list() == [n, 12 // n]
    plan = only(plans(f, x))
    assert [n.type for n in plan.hosts] == ["Reshape"] and "chosen" in states(plan)


def test_a_split_between_two_runs_keeps_the_results_in_their_places():
    @tfe.defun
    def f(x, s):
        a, b = x * 2.0, tf.exp(x)
        c = tf.reshape(a, tf.stack([tf.cast(s[0], tf.int32), -1]))
        return b, c, a + b, tf.reduce_sum(c, 0)

    x = np.arange(6, dtype=np.float32)
    with compiled():
        for n in (1, 2, 3, 6, 1, 2, 3, 6):
            found = f(tf.constant(x), tf.constant([float(n)]))
            a, b = x * 2, np.exp(x)
            c = a.reshape(n, -1)
            for t, wanted in zip(found, (b, c, a + b, c.sum(0)), strict=True):
                np.testing.assert_allclose(t.numpy(), wanted, rtol=1e-6)


def test_results_of_strings_and_clusters_together():
    @tfe.defun
    def f(x):
        return tf.identity(tf.constant("text")), x * 2.0

    with compiled():
        for _ in range(2):
            s, y = f(tf.constant(3.0))
            assert s.numpy() == b"text" and y.numpy() == 6.0


def test_dtypes_are_exact_and_the_users_jax_is_left_alone():
    import jax
    import jax.numpy as jnp

    f = tfe.defun(lambda a, b, c: (a * a, b + b, c * c))
    with compiled():
        out = f(tf.constant(1.1, tf.float64), tf.constant(2**40, tf.int64), tf.constant(1.5, tf.bfloat16))
    assert out[0].numpy() == np.float64(1.1) * np.float64(1.1)
    assert out[1].numpy() == 2**41 and out[2].dtype is tf.bfloat16
    assert jnp.ones(2).dtype == jnp.float32 and not jax.config.jax_enable_x64


def test_the_policy_is_as_users_get_it():
    assert POLICY.enabled and not POLICY.at_once
