"""Tiers: what is compiled, and when."""

import gc
import threading
import time
import types
import weakref

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import twinflow as tf
from tests.ways import compiled, eager, interpreted, plans, states
from twinflow.execute import swaps, tiers
from twinflow.execute.call import plans_of
from twinflow.execute.tiers import POLICY
from twinflow.execute.worker import WORKER, Worker

SWAP_CALL = tiers.HOT_CALLS + tiers.SWAP_CALLS

tfe = tf.contrib.eager


@pytest.fixture(autouse=True)
def eagerly(monkeypatch):
    """Eager mode, and clusters that are never too fast to be compiled."""
    monkeypatch.setattr(tiers, "TINY", 0.0)
    with eager():
        tf.set_random_seed(None)
        yield
        tf.set_random_seed(None)


@pytest.fixture(autouse=True)
def forgetful(monkeypatch):
    """No test knows at which call another's program changed over."""
    monkeypatch.setattr(swaps, "_NOTED", {})


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


def interpreter_takes(monkeypatch, seconds):
    """The clock says this of every run in the interpreter."""
    best = property(lambda e: seconds, lambda e, v: None)
    monkeypatch.setattr(tiers.Entry, "best", best, raising=False)


@pytest.fixture
def slow(monkeypatch):
    """An interpreter that is slower than any compiled form."""
    interpreter_takes(monkeypatch, 1e9)


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


def test_the_compile_happens_in_the_background_and_swaps_in(held, slow):
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
        for _ in range(2 * tiers.TRIALS):
            entry.best = best
            f(x)
        assert entry.state == state
        f(x)
        assert v.numpy() == 4.0 * (4 + 2 * tiers.TRIALS + 1)
        held.clear()


def test_the_interpreter_is_timed_without_the_compiler(held, monkeypatch):
    """Beside it, on the same cores, it is slower than it will be."""
    f, _ = counting()
    x = tf.ones([4])
    for _ in range(4):
        f(x)
    plan = only(plans(f, x))
    entry = only(only(plan.clusters).entries.values())
    entry.best = 0.0  # whatever it took meanwhile
    held.set()
    wait_until(lambda: states(plan) != ["queued"])
    for _ in range(tiers.TRIALS):
        f(x)
    assert not entry.trials and entry.best == min(entry.alone) > 0.0
    f(x)
    assert len(entry.trials) == 1
    monkeypatch.setattr(tiers, "LONG_TRIALS", 0.0)
    for known in ([], [1.0], [1.0, 1.0]):
        entry.alone = known
        assert entry.is_rested() == (len(known) == 2)


def test_a_compiled_form_that_lost_is_tried_again(held, monkeypatch):
    """Other processes may have held the cores while it was timed."""
    monkeypatch.setattr(tiers, "AGAIN", (3, 10))
    f, v = counting()
    x = tf.ones([4])
    held.set()
    for _ in range(4):
        f(x)
    wait_until(lambda: states(only(plans(f, x))) != ["queued"])
    entry = only(only(only(plans(f, x)).clusters).entries.values())

    def run(best, calls):
        for _ in range(calls):
            entry.best = best
            f(x)
        return entry.state

    calls = [(0.0, 2 * tiers.TRIALS), (0.0, 2), (0.0, tiers.TRIALS), (0.0, 9)]
    assert [run(*c) for c in calls] == ["refused"] * 4
    assert run(1e9, tiers.TRIALS) == "chosen"
    assert v.numpy() == 4.0 * (4 + 4 * tiers.TRIALS + 2 + 9)


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
        for _ in range(10):
            assert session.run(y, {x: np.ones(4)}) == 8.0
        assert session.run(y, {x: np.ones(3)}) == 6.0
        plan = only(session._plans.values())
        assert sorted(states(plan)) == ["cold", "queued"]


def test_a_seeded_program_swaps_at_a_fixed_call(held, slow):
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
            assert states(plan) == ["chosen" if call >= SWAP_CALL else wanted]
    assert v.numpy() == 76.0


def changed_over(f, x, calls=100):
    """The call at which a function changes over to its compiled form."""
    for call in range(1, calls):
        f(x)
        if states(only(plans(f, x))) == ["chosen"]:
            return call
    return None


def test_a_seeded_program_does_not_wait_for_the_compiler(held, slow):
    """It changes over at the next call of the row, and at that call ever after."""
    tf.set_random_seed(1)
    x = tf.ones([4])
    f, v = counting()
    for _ in range(SWAP_CALL + 1):
        f(x)
    plan = only(plans(f, x))
    assert states(plan) == ["queued"]
    held.set()
    wait_until(lambda: states(plan) == ["ready"])
    rest = changed_over(f, x)
    second = SWAP_CALL
    while second <= SWAP_CALL + 1 + tiers.TRIALS:  # the interpreter is timed first
        second = swaps.after(second)
    assert SWAP_CALL + 1 + rest == second and v.numpy() == 4 * second
    again, _ = counting()
    assert changed_over_when_ready(again, x) == second


def changed_over_when_ready(f, x):
    """As `changed_over`, with a compiler that is done before it matters."""
    for _ in range(tiers.HOT_CALLS):
        f(x)
    wait_until(lambda: states(only(plans(f, x))) == ["ready"])
    return tiers.HOT_CALLS + changed_over(f, x)


def test_no_step_waits_for_a_slow_compiler(held):
    x = tf.ones([4])
    for seed in (None, 1):
        tf.set_random_seed(seed)
        f, _ = counting()
        seconds = []
        for _ in range(6 * SWAP_CALL):
            start = time.perf_counter()
            f(x)
            seconds.append(time.perf_counter() - start)
        assert states(only(plans(f, x))) == ["queued"]
        assert max(seconds[1:]) < 2.0  # `held` would keep it for a minute


def drawing():
    """A function that draws, and adds to a variable; and the variable."""
    v = tf.Variable(0.0)
    return tfe.defun(
        lambda x: v.assign_add(tf.reduce_sum(x * tf.random_normal([4])))
    ), v


def found_after(calls):
    """What a seeded program finds in so many calls, and the state of its cluster."""
    tf.set_random_seed(1)
    f, v = drawing()
    x, found = tf.ones([4]), []
    for call in range(calls):
        found.append(float(f(x)))
        if call == tiers.HOT_CALLS:
            wait_until(lambda: states(only(plans(f, x))) != ["queued"])
    assert v.numpy() == np.float32(found[-1])
    return found, states(only(plans(f, x)))


def test_a_trial_leaves_no_trace_in_a_seeded_program(held, monkeypatch):
    """Where the compiled form is slower, all numbers are the interpreter's; and that
    is noted, so that nothing is compiled any more.
    """
    held.set()
    monkeypatch.setattr(tiers, "AGAIN", (6,))
    with interpreted():
        wanted, _ = found_after(30)
    interpreter_takes(monkeypatch, 0.0)
    assert found_after(SWAP_CALL + 2) == (wanted[: SWAP_CALL + 2], ["ready"])
    assert found_after(30) == (wanted, ["refused"])
    monkeypatch.setattr(WORKER, "put", None)
    interpreter_takes(monkeypatch, 1e9)
    assert found_after(30) == (wanted, ["refused"])


def test_a_seeded_program_repeats_its_numbers(held, slow, monkeypatch):
    """What the first run found of the engines, the second does not ask the clock."""
    held.set()
    first = found_after(30)
    interpreter_takes(monkeypatch, 0.0)
    assert found_after(30) == first
    assert first[1] == ["chosen"]


def test_a_tiny_program_is_compiled_only_with_a_seed(held, monkeypatch):
    """What a few calls took is different each time."""
    monkeypatch.setattr(tiers, "TINY", 1e9)
    for seed, state in [(1, "queued"), (None, "cold")]:
        tf.set_random_seed(seed)
        f, _ = counting()
        for _ in range(SWAP_CALL):
            f(tf.ones([4]))
        assert states(only(plans(f, tf.ones([4])))) == [state]


def test_a_seeded_program_draws_the_same_numbers_in_both_engines():
    def draws(x):
        return tf.random_normal([3]) * x + tf.random_uniform([3])

    found = []
    for engine in (interpreted, compiled):
        tf.set_random_seed(3)
        f = tfe.defun(draws)
        with engine():
            found.append([f(tf.constant(2.0)).numpy() for _ in range(3)])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-6, atol=1e-6)


def test_signatures_are_forgotten_when_there_are_too_many():
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None])
        y = tf.reduce_sum(x)
        for n in range(tiers.MOST_ENTRIES + 20):
            session.run(y, {x: np.ones(n)})
        cluster = only(only(session._plans.values()).clusters)
        assert len(cluster.entries) == tiers.MOST_ENTRIES


def test_dtypes_are_exact_and_the_users_jax_is_left_alone():
    f = tfe.defun(lambda a, b, c: (a * a, b + b, c * c))
    with compiled():
        out = f(
            tf.constant(1.1, tf.float64),
            tf.constant(2**40, tf.int64),
            tf.constant(1.5, tf.bfloat16),
        )
    assert out[0].numpy() == np.float64(1.1) * np.float64(1.1)
    assert out[1].numpy() == 2**41 and out[2].dtype is tf.bfloat16
    assert jnp.ones(2).dtype == jnp.float32 and not jax.config.jax_enable_x64


def test_the_policy_is_as_users_get_it():
    assert POLICY.enabled and not POLICY.at_once


def test_the_environment_names_the_policy():
    found = {w: vars(tiers.policy_of(w)) for w in ("auto", "wait", "never")}
    assert found["auto"] == vars(tiers.Policy())
    assert found["wait"]["at_once"] and not found["never"]["enabled"]
    with pytest.raises(ValueError, match="TWINFLOW_COMPILE is 'soon'; expected 'auto'"):
        tiers.policy_of("soon")


def test_a_compiler_that_does_not_start_leaves_the_interpreter(monkeypatch):
    worker = Worker()
    monkeypatch.setattr("atexit.register", lambda *args: None)
    broken = ImportError("jax is broken")
    monkeypatch.setattr(worker, "_start", lambda: (_ for _ in ()).throw(broken))
    for name in ("put", "wait"):
        monkeypatch.setattr(WORKER, name, getattr(worker, name))
    monkeypatch.setattr(POLICY, "at_once", True)
    f = tfe.defun(lambda x: tf.reduce_sum(x * 2.0))
    assert float(f(tf.constant([1.0, 2.0]))) == 6.0
    (trace,) = f.traces.values()
    (plan,) = plans_of(trace.graph)
    entries = [e for c in plan.clusters for e in c.entries.values()]
    assert [e.error for e in entries] == [broken]
    assert float(f(tf.constant([1.0, 3.0]))) == 8.0


def test_what_is_waited_for_goes_first_and_what_is_gone_is_left_out(monkeypatch):
    worker, go, turns = Worker(), threading.Event(), []
    monkeypatch.setattr("atexit.register", lambda *args: None)
    monkeypatch.setattr(worker, "_start", go.wait)

    def compiled(_, spec, entry, *arrays):
        turns.append(entry.born)
        worker._settle(entry, "ready")

    monkeypatch.setattr(worker, "_compile", compiled)
    entries = {born: tiers.Entry(born) for born in range(4)}
    for born in entries:
        entries[born].state = "queued"
        spec = types.SimpleNamespace(size=1)
        worker.put(spec, entries[born], [], [], urgent=born == 3)
    del entries[1]
    go.set()
    worker.wait(entries[2])
    assert turns == [3, 0, 2]


def test_what_was_compiled_goes_with_its_function():
    """Nothing keeps it, jax's caches included; and memory does not grow."""
    x = tf.ones([4, 4])
    executables = []

    def make(i):
        f = tfe.defun(lambda x: tf.tanh(tf.matmul(x, x) * float(i)) + x)
        f(x)
        cluster = only(only(plans(f, x)).clusters)
        entry = only(cluster.entries.values())
        executables.append(weakref.ref(entry.executable))

    with compiled() as entries:
        for i in range(5):
            make(i)
        entries.clear()
    gc.collect()
    alive = [e for e in executables if e() is not None]
    assert len(alive) <= 1  # the compiling thread's last one
