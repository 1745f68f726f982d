"""Seeds and streams: which numbers a program draws, in every mode."""

import copy
import pickle
import threading

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from twinflow.base import dispatch, dtypes
from twinflow.eager.mode import MODE
from twinflow.graph.graph import Graph
from twinflow.ops.random import choice, streams
from twinflow.ops.random.draws import (
    initializing,
    random_normal,
    random_uniform,
    truncated_normal,
)
from twinflow.ops.random.streams import Stream, get_seed, set_random_seed


@pytest.fixture(autouse=True)
def eager():
    """Eager execution without a seed."""
    with dispatch.entered(MODE):
        set_random_seed(None)
        yield
        set_random_seed(None)


@pytest.fixture
def graph():
    with Graph().as_default() as g:
        yield g


def drawn(t):
    """What a node that draws gives when it runs once, on its own stream."""
    args = [x.op.attrs["value"] for x in t.op.inputs]
    return t.op.opdef.np(*args, **t.op.attrs)


def draws():
    """A call of every random op, without seeds of their own."""
    return [
        random_uniform([3, 2]),
        random_uniform([5], 2, 9, dtypes.int32),
        random_normal([4], dtype=dtypes.float64),
        truncated_normal([4]),
        choice.random_shuffle(np.arange(6)),
        choice.multinomial(np.zeros((2, 3), np.float32), 4),
        random_normal([4], dtype=dtypes.float64),
    ]


def values(tensors):
    return [t.numpy() for t in tensors]


def assert_equal(found, expected):
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


def drawing_nodes(g):
    return [n.outputs[0] for n in g.nodes if n.opdef.cell == "stream"]


# ------------------------------------------------------------ the graph seed
def test_the_same_seed_again_gives_the_same_numbers_again():
    set_random_seed(7)
    first = values(draws())
    second = values(draws())
    set_random_seed(7)
    assert_equal(values(draws()), first)
    assert not np.array_equal(first[0], second[0])
    assert not np.array_equal(first[2], first[6])


def test_seeds_differ_and_no_seed_is_random():
    found = []
    for seed in (0, 1, 2**40, None, None):
        set_random_seed(seed)
        found.append(random_uniform([4]).numpy().tobytes())
    assert len(set(found)) == 5


def test_a_seeded_program_draws_the_same_in_a_graph():
    set_random_seed(7)
    eager = values(draws())
    with Graph().as_default() as g:
        set_random_seed(7)
        draws()
        found = [drawn(t) for t in drawing_nodes(g)]
    assert found[0].shape == (3, 2)
    assert_equal(found, eager)


def test_a_seeded_program_draws_the_same_compiled():
    """Each step with a traced state; normals but for their last places."""
    set_random_seed(7)
    eager = values(draws())
    with Graph().as_default() as g, jax.enable_x64(True):
        set_random_seed(7)
        draws()
        nodes = drawing_nodes(g)
        state = nodes[0].op.attrs["stream"].read()
        for t, expected in zip(nodes, eager, strict=True):
            found, state = compiled_step(t, state)
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
            assert found.dtype == expected.dtype
    assert state.dtype == np.uint64 and int(state[0]) == len(eager)


def compiled_step(t, state):
    """A node's step under XLA: its host inputs are static, the others traced."""
    op, args = t.op.opdef, [x.op.attrs["value"] for x in t.op.inputs]
    host = [a.host for a in op.sig.inputs]

    def run(state, *traced):
        it = iter(traced)
        inputs = [a if h else next(it) for a, h in zip(args, host, strict=True)]
        return op.step(jnp)(state, *inputs, **t.op.attrs)

    return jax.jit(run)(state, *(a for a, h in zip(args, host, strict=True) if not h))


def test_the_nodes_of_a_graph_share_one_stream(graph):
    set_random_seed(7)
    draws()
    nodes = [t.op for t in drawing_nodes(graph)]
    assert len({n.attrs["stream"] for n in nodes}) == 1
    assert {n.get_attr("seed") for n in nodes} == {7}
    assert len({n.get_attr("seed2") for n in nodes}) == len(nodes)


def test_a_graph_has_its_own_seed():
    set_random_seed(7)
    with Graph().as_default() as g:
        assert get_seed(None) == (None, None)
        g.seed = 3
        assert get_seed(1) == (3, 1)
    assert get_seed(1) == (7, 1)


def test_the_shape_of_one_draw_does_not_move_the_next():
    set_random_seed(7)
    random_uniform([1000])
    expected = random_uniform([3]).numpy()
    set_random_seed(7)
    random_uniform([0])
    np.testing.assert_array_equal(random_uniform([3]).numpy(), expected)


# ------------------------------------------------------------ the op seed
def test_an_op_seed_continues_its_own_stream():
    a, b = (random_normal([3], seed=1).numpy() for _ in range(2))
    set_random_seed(None)
    random_normal([3])
    assert_equal([random_normal([3], seed=1).numpy() for _ in range(2)], [a, b])
    assert not np.array_equal(a, b)


def test_an_op_seed_depends_on_the_graph_seed():
    found = []
    for seed in (None, 1, 2):
        set_random_seed(seed)
        found.append(random_normal([3], seed=5).numpy().tobytes())
    assert len(set(found)) == 3


def test_an_op_seed_does_not_touch_the_shared_stream():
    set_random_seed(7)
    expected = random_uniform([3]).numpy()
    set_random_seed(7)
    random_uniform([3], seed=1)
    np.testing.assert_array_equal(random_uniform([3]).numpy(), expected)


def test_a_node_with_a_seed_has_its_own_stream(graph):
    a, b = random_normal([3], seed=1), random_normal([3], seed=1)
    nodes = drawing_nodes(graph)
    first, second = (t.op.attrs["stream"] for t in nodes)
    assert first is not second and first.key == second.key
    once = [drawn(t) for t in nodes]
    assert_equal(once[:1], once[1:])
    with dispatch.entered(MODE):
        assert_equal([random_normal([3], seed=1).numpy()], once[:1])
    assert (a.name, b.name) == ("random_normal:0", "random_normal_1:0")


def test_kinds_of_ops_do_not_share_an_eager_stream():
    """As in a graph, where each node has its own."""
    expected = random_normal([3], seed=1).numpy()
    set_random_seed(None)
    random_uniform([3], seed=1)
    np.testing.assert_array_equal(random_normal([3], seed=1).numpy(), expected)


# ------------------------------------------------------------ get_seed
def test_get_seed():
    assert get_seed(None) == (None, None)
    assert get_seed(3) == (87654321, 3)
    set_random_seed(7)
    assert get_seed(3) == (7, 3)
    assert get_seed(2**40) == (7, 512)
    assert get_seed(None)[0] == 7 and get_seed(None) != get_seed(None)
    set_random_seed(0)
    assert get_seed(0) == (0, 2**31 - 1)


@pytest.mark.parametrize("call", [set_random_seed, get_seed])
def test_seeds_are_integers(call):
    with pytest.raises(
        TypeError, match=r"must be an integer, got 1\.5 of type 'float'"
    ):
        call(1.5)
    call(np.int64(3))


# ------------------------------------------------------------ initializing
def test_initial_values_depend_on_the_name_alone():
    set_random_seed(7)
    random_uniform([3])
    with initializing("w"):
        eager = [random_uniform([3]).numpy() for _ in range(2)]
    after = random_uniform([3]).numpy()
    with initializing("b"):
        assert not np.array_equal(random_uniform([3]).numpy(), eager[0])
    with Graph().as_default() as g:
        set_random_seed(7)
        with initializing("w"):
            random_uniform([3]), random_uniform([3])
        assert_equal([drawn(t) for t in drawing_nodes(g)], eager)
    set_random_seed(7)
    random_uniform([3])
    np.testing.assert_array_equal(random_uniform([3]).numpy(), after)


def test_an_initializer_with_a_seed_starts_anew_for_each_variable():
    def start(name):
        with initializing(name):
            return random_uniform([3], seed=1).numpy()

    random_uniform([3], seed=1)
    np.testing.assert_array_equal(start("a"), start("b"))


# ------------------------------------------------------------ Stream
def test_a_fresh_copy_starts_again():
    stream = Stream((1, 2))
    stream.take()
    fresh = stream.fresh()
    assert fresh.read()[0] == 0 and fresh.key == stream.key and fresh != stream
    assert fresh.read().dtype == np.uint64


def test_fresh_copies_of_an_unseeded_stream_differ():
    stream = Stream((1, 2), seeded=False)
    assert stream.fresh().read()[0] != stream.fresh().read()[0]


def pickled(stream):
    return pickle.loads(pickle.dumps(stream))


@pytest.mark.parametrize("copied", [copy.deepcopy, pickled])
@pytest.mark.parametrize("seeded", [True, False])
def test_copies_continue(copied, seeded):
    stream = Stream((1, 2), seeded)
    stream.take()
    other = copied(stream)
    assert_equal(other.read(), stream.read())
    assert other is not stream
    assert (other.key, other.seeded) == (stream.key, seeded)


def test_keys_depend_on_every_seed():
    seeds = [(0,), (1,), (0, 0), (0, 1), (1, 0), (0, 0, 1), (-1, 0), (2**31, 0)]
    assert len({tuple(streams.Stream._words(s)) for s in seeds}) == len(seeds)


def test_threads_never_draw_the_same_numbers():
    set_random_seed(7)
    found = []

    def work():
        with dispatch.entered(MODE):
            found.extend(random_uniform([20000]).numpy()[0] for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    set_random_seed(7)
    expected = [random_uniform([20000]).numpy()[0] for _ in range(200)]
    assert sorted(found) == sorted(expected)
