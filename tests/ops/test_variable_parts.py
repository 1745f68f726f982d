"""Writing into parts of variables: rows, index vectors, slices; counting."""

import numpy as np
import pytest

import twinflow as tf
from tests.ways import WAYS, eager, run
from twinflow.base.dispatch import apply
from twinflow.base.op import registry
from twinflow.execute.tiers import POLICY

tfe = tf.contrib.eager
START = np.arange(8, dtype=np.float32).reshape(4, 2)


@pytest.fixture
def now():
    with eager():
        yield


def variable(value=START, **kwargs):
    return tfe.Variable(value, **kwargs)


def written(kind, x, i, u):
    """What scattering gives, one row after the other."""
    out = np.array(x)
    for place in np.ndindex(i.shape):
        row = u[place] if np.ndim(u) else u
        out[i[place]] = {
            "update": lambda a, b: b, "add": np.add, "sub": np.subtract,
            "mul": np.multiply, "div": np.divide, "min": np.minimum,
            "max": np.maximum,
        }[kind](out[i[place]], row)  # fmt: skip
    return out


KINDS = ("update", "add", "sub", "mul", "div", "min", "max")
UPDATES = np.float32([[1.5, -2.0], [3.0, 0.5]])


@pytest.mark.parametrize("way", WAYS)
def test_rows_are_written(way):
    def build():
        vs = [variable() for _ in KINDS]

        def f(i, u):
            found = [
                getattr(tf, f"scatter_{kind}")(v, i, u)
                for kind, v in zip(KINDS, vs, strict=True)
            ]
            return [tf.identity(v) for v in found]

        return f

    indices = np.int64([3, 0])
    found = run(way, build, indices, UPDATES)
    for kind, a in zip(KINDS, found, strict=True):
        np.testing.assert_array_equal(a, written(kind, START, indices, UPDATES), kind)


@pytest.mark.parametrize("way", WAYS)
def test_a_row_that_comes_twice_is_written_twice(way):
    kinds = KINDS[1:]

    def build():
        vs = [variable() for _ in kinds]

        def f(i, u):
            found = [
                getattr(tf, f"scatter_{kind}")(v, i, u)
                for kind, v in zip(kinds, vs, strict=True)
            ]
            return [tf.identity(v) for v in found]

        return f

    indices = np.int32([[1, 1]])
    found = run(way, build, indices, UPDATES[None])
    for kind, a in zip(kinds, found, strict=True):
        wanted = written(kind, START, indices, UPDATES[None])
        np.testing.assert_allclose(a, wanted, 1e-6, err_msg=kind)


@pytest.mark.parametrize("way", WAYS)
def test_index_vectors_slices_and_batches(way):
    def build():
        vs = [variable() for _ in range(7)]

        def f(x):
            one, two = [[0, 1], [3, 0]], [[2], [2]]
            rows = tf.stack([[x, x], [x, 2 * x]])
            found = [
                tf.scatter_nd_update(vs[0], one, [x, 2 * x]),
                tf.scatter_nd_add(vs[1], two, rows),
                vs[2].scatter_nd_sub(two, rows),
                vs[3][1:3, 0].assign([x, 2 * x]),
                vs[4][..., tf.newaxis, ::-1].assign(tf.fill([4, 1, 2], x)),
                vs[5][-1].assign([x, 2 * x]),
                tf.batch_scatter_update(vs[6], [[0], [1], [1], [0]], [[x]] * 4),
            ]
            return [tf.identity(v) for v in found]

        return f

    found = run(way, build, np.float32(9))
    wanted = [START.copy() for _ in found]
    wanted[0][0, 1], wanted[0][3, 0] = 9, 18
    wanted[1][2] += [18, 27]
    wanted[2][2] -= [18, 27]
    wanted[3][1:3, 0] = [9, 18]
    wanted[4][:] = 9
    wanted[5][-1] = [9, 18]
    wanted[6][[0, 1, 2, 3], [0, 1, 1, 0]] = 9
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("way", WAYS)
def test_a_slice_that_only_the_run_knows(way):
    def build():
        v = variable()

        def f(n):
            def body(i):
                with tf.control_dependencies([v[i].assign([9.0, 9.0])]):
                    return i + 1

            last = tf.while_loop(lambda i: i < n, body, [tf.constant(0)])
            with tf.control_dependencies([last]):
                return v.read_value()

        return f

    if way == "eager":
        pytest.skip("eager loops are Python's")
    found = run(way, build, np.int32(3))
    assert found.tolist() == [[9, 9], [9, 9], [9, 9], [6, 7]]


def test_sparse_deltas(now):
    v = variable()
    delta = tf.IndexedSlices([[1.0, 1.0], [2.0, 2.0]], [0, 0])
    assert v.scatter_add(delta) is v and v.numpy()[0].tolist() == [3, 4]
    v.scatter_sub(delta)
    v.scatter_update(tf.IndexedSlices([[5.0, 5.0]], [2]))
    assert v.numpy().tolist() == [[0, 1], [2, 3], [5, 5], [6, 7]]
    assert v.sparse_read([2, 2]).numpy().tolist() == [[5, 5], [5, 5]]
    with pytest.raises(ValueError, match="sparse_delta is not IndexedSlices: "):
        v.scatter_add([1.0])


@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "float64", "int32", "uint8", "complex64"]
)
def test_dtypes(now, dtype):
    v = variable(tf.cast([[1.0, 2.0], [7.0, 8.0]], dtype))
    two = tf.cast(2, dtype)
    tf.scatter_mul(tf.scatter_add(v, [1, 1], two), 0, two)
    assert tf.cast(v.read_value(), tf.int32).numpy().tolist() == [[2, 4], [11, 12]]


def test_whole_numbers_are_divided_towards_zero(now):
    v = variable([-7, 7, 9])
    assert tf.scatter_div(v, [0, 1, 2, 2], [2, 2, 2, 2]).numpy().tolist() == [-3, 3, 2]


def test_strings_bools_and_scalars(now):
    v = variable(["a", "b"])
    assert tf.scatter_update(v, [1], ["c"]).numpy().tolist() == [b"a", b"c"]
    w = variable([True, False])
    assert tf.scatter_update(w, 1, True).numpy().tolist() == [True, True]
    assert tf.scatter_add(variable(3.0), [0], [10.0]).numpy() == 13


def test_what_was_read_before_stays(now):
    v = variable()
    before, part = v.read_value(), v[0]
    tf.scatter_update(v, [0], [[9.0, 9.0]])
    v[0].assign([8.0, 8.0])
    assert before.numpy()[0].tolist() == part.numpy().tolist() == [0, 1]
    assert v[0].numpy().tolist() == [8, 8]


ERRORS = {
    "rows": (
        lambda v: tf.scatter_add(v, [0, 5], UPDATES),
        "indices[1] = 5 is not in [0, 4)",
    ),
    "below": (
        lambda v: tf.scatter_add(v, [[0, -5]], UPDATES[None]),
        "indices[0,1] = -5 is not in [0, 4)",
    ),
    "shapes": (
        lambda v: tf.scatter_add(v, [0, 1, 2], UPDATES),
        "shape of indices ([3]) is not compatible with the shape of updates ([2,2])",
    ),
    "vectors": (
        lambda v: tf.scatter_nd_update(v, [[7]], [[1.0, 1.0]]),
        "indices[0] = [7] does not index into shape [4,2]",
    ),
    "outer": (
        lambda v: tf.scatter_nd_update(v, [[0]], UPDATES),
        "The outermost dimension of updates and indices must match. Got indices.shape",
    ),
    "inner": (
        lambda v: tf.scatter_nd_update(v, [[0]], [[1.0]]),
        "Must have updates.shape = indices.shape[:batch_dim] + params_shape[slice_dim",
    ),
    "slice": (
        lambda v: v[0:2, 0].assign([1.0, 1.0, 1.0]),
        "sliced l-value shape [2] does not match r-value shape [3]. Automatic broad",
    ),
    "outside": (lambda v: v[5].assign(1.0), "slice index 5 of dimension 0 out of"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(now, name):
    v = variable()
    call, text = ERRORS[name]
    with pytest.raises(tf.errors.OpError) as raised:
        call(v)
    assert text in str(raised.value)
    assert v.numpy().tolist() == START.tolist()


def test_errors_in_graphs_leave_the_variable_alone():
    POLICY.at_once = True
    try:
        with tf.Graph().as_default(), tf.Session() as session:
            v = variable()
            i = tf.placeholder(tf.int32, [2])
            add = tf.scatter_add(v, i, UPDATES)
            part = v[i[0]].assign([1.0, 1.0])
            session.run(tf.global_variables_initializer())
            for fetch, text in (
                (add, "indices[1] = 9 is not in [0, 4)"),
                (part, "slice index 8 of dimension 0 out of bounds."),
            ):
                with pytest.raises(tf.errors.InvalidArgumentError) as raised:
                    session.run(fetch, {i: [8, 9] if fetch is part else [0, 9]})
                assert text in str(raised.value)
            assert session.run(v).tolist() == START.tolist()
    finally:
        POLICY.at_once = False


def test_only_variables_are_written_to(now):
    with pytest.raises(TypeError, match=r"tf.scatter_add writes into a variable, got"):
        tf.scatter_add(tf.constant([1.0]), [0], [1.0])
    with pytest.raises(TypeError, match=r"scatter_nd_add writes into a variable, got"):
        tf.scatter_nd_add(tf.constant([1.0]), [[0]], [1.0])
    with pytest.raises(AttributeError):
        tf.constant([1.0])[0].assign(1.0)
    with tf.Graph().as_default(), pytest.raises(ValueError, match="Sliced assignment"):
        tf.constant([1.0])[0].assign(1.0)


def test_a_strided_slice_of_a_variable(now):
    v = variable([1.0, 2.0, 3.0])
    part = tf.strided_slice(v, [0], [2], var=v)
    assert part.assign([8.0, 9.0]).numpy().tolist() == [8, 9, 3]


# ------------------------------------------------------------ counting
@pytest.mark.parametrize("way", WAYS)
def test_counting(way):
    def build():
        v = variable(np.int64(3))
        return lambda: tf.count_up_to(v, 5)

    assert run(way, build, calls=2) == 4
    with pytest.raises(tf.errors.OutOfRangeError, match="Reached limit of 5"):
        run(way, build, calls=3)


def test_counting_needs_an_integer_variable(now):
    assert variable(np.int32(0)).count_up_to(3).numpy() == 0
    with pytest.raises(TypeError, match="not in list of allowed values: int32, int64"):
        tf.count_up_to(variable(3.0), 5)
    with pytest.raises(TypeError, match="needs a variable"):
        tf.count_up_to(3, 5)


# ------------------------------------------------------------ the ops of older graphs
def call(op, v, *inputs, **attrs):
    attrs = {**registry[op].sig.attrs, **attrs}
    return apply(registry[op], (v.handle, *inputs), attrs)


def test_reference_ops_are_of_graphs(now):
    v = variable([1.0, 2.0])
    with pytest.raises(
        RuntimeError, match="scatter_add op does not support eager exec"
    ):
        call("ScatterAdd", v, [1], [5.0])
    with pytest.raises(RuntimeError, match=r"count_up_to op .* Arg 'ref' is a ref"):
        call("CountUpTo", v, limit=3)


def test_looking_at_a_variable(now):
    v = variable()
    assert call("VariableShape", v).numpy().tolist() == [4, 2]
    with tf.GradientTape() as tape:
        tape.watch(v)
        asked = {"shape": (4, 2), "dtype": tf.float32}
        taken = call("ResourceGather", v, tf.constant([3, 0]), **asked)
        y = tf.reduce_sum(taken * [[1.0], [2.0]])
    assert taken.numpy().tolist() == [[6, 7], [0, 1]]
    dx = tf.convert_to_tensor(tape.gradient(y, v)).numpy()
    assert dx.tolist() == [[2, 2], [0, 0], [0, 0], [1, 1]]
    with pytest.raises(tf.errors.InvalidArgumentError, match="is not in"):
        call("ResourceGather", v, tf.constant([4]), **asked)
