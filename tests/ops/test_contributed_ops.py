"""Ops of parts of tf.contrib: values of TensorFlow 1.12, in both modes."""

import os
import subprocess
import sys

import numpy as np
import pytest

import twinflow as tf
from tests.modes import both, eager, graph  # noqa: F401 - fixtures
from twinflow.base.dispatch import apply
from twinflow.compat.door import generated
from twinflow.ops.arrays.switch import RefSelect
from twinflow.ops.audio import ffmpeg
from twinflow.ops.debugging.abort import Abort
from twinflow.ops.queues.ops import FakeQueue
from twinflow.ops.strings.contributed import ReinterpretStringToFloat
from twinflow.ops.variables.contributed import (
    ObtainNext,
    ScatterAddNdim,
    ZeroInitializer,
    ZeroVarInitializer,
)
from twinflow.ops.variables.session_values import GetSessionHandleV2

CODER, PROTO = tf.contrib.coder, tf.contrib.proto
PMF = np.array([[0.1, 0.2, 0.3, 0.4], [0.97, 0.01, 0.01, 0.01], [1e-5, 1e-5, 0.5, 0.5]])
CDF = [[0, 26, 77, 154, 256], [0, 247, 250, 253, 256], [0, 1, 2, 129, 256]]
SYMBOLS = np.random.RandomState(0).randint(0, 4, (2, 3, 20)).astype(np.int16)
CODE = bytes.fromhex(
    "10e5f78b1513b58b8e2ded9449aee481fd159c0cf017450020e7629c1c4a68990f62"
)


# ---------------------------------------------------------------------- range coding
@both
def test_codes_are_those_of_tensorflow(run):
    def build():
        cdf = CODER.pmf_to_quantized_cdf(PMF.astype(np.float32), precision=8)
        one = tf.reshape(cdf[0], [1, 1, 1, 5])
        code = CODER.range_encode(SYMBOLS, one, precision=8)
        rows = tf.reshape(cdf, [1, 3, 1, 5])
        short = CODER.range_encode(SYMBOLS[:, :, :3], rows, precision=8)
        back = CODER.range_decode(code, [2, 3, 20], one, precision=8)
        return [cdf, code, short, back]

    cdf, code, short, back = run(build)
    assert cdf.tolist() == CDF
    assert code == CODE and short == bytes.fromhex("12bb7adab000cab9bb52")
    assert back.tolist() == SYMBOLS.tolist()


@pytest.mark.parametrize("seed", range(8))
def test_every_code_can_be_read(eager, seed):  # noqa: F811
    rng = np.random.RandomState(seed)
    count, precision = rng.randint(2, 6), rng.randint(3, 17)
    pmf = rng.dirichlet([0.1] * count).astype(np.float32)
    cdf = CODER.pmf_to_quantized_cdf(pmf, precision=precision).numpy()
    data = rng.choice(count, 300, p=np.diff(cdf) / 2**precision).astype(np.int16)
    code = CODER.range_encode(data, cdf[None], precision=precision)
    back = CODER.range_decode(code, [300], cdf[None], precision=precision)
    assert back.numpy().tolist() == data.tolist()


def test_refused_codes(eager):  # noqa: F811
    cdf, invalid = np.int32(CDF[0]), tf.errors.InvalidArgumentError
    with pytest.raises(invalid, match=r"data shape=\[2,3,20\], cdf shape=\[5\]"):
        CODER.range_encode(SYMBOLS, cdf, precision=8)
    with pytest.raises(invalid, match=r"Value not in \[0, 4\): 9"):
        CODER.range_encode(np.int16([9]), cdf[None], precision=8)
    with pytest.raises(invalid, match=r"must be in \[1, 16\]: 17"):
        CODER.pmf_to_quantized_cdf(np.float32([0.5, 0.5]), precision=17)
    with pytest.raises(invalid, match="at least 2 in the last axis"):
        CODER.pmf_to_quantized_cdf(np.float32([1.0]), precision=8)


# ---------------------------------------------------------------------- messages
SHAPES = [b"\x12\x07\x08\x03\x12\x03abc\x12\x02\x08\x05\x18\x01", b""]


@both
def test_fields_of_messages(run):
    def build():
        kinds = [tf.string, tf.bool]
        found = PROTO.decode_proto(
            tf.constant(SHAPES), "tensorflow.TensorShapeProto",
            ["dim", "unknown_rank"], kinds,
        )  # fmt: skip
        return [found.sizes, *found.values]

    sizes, dims, unknown = run(build)
    assert sizes.tolist() == [[2, 1], [0, 0]]
    assert dims.tolist() == [[b"\x08\x03\x12\x03abc", b"\x08\x05"], [b"", b""]]
    assert unknown.tolist() == [[True], [False]]


@both
def test_messages_of_fields(run):
    def build():
        names = ["inter_op_parallelism_threads", "device_filters"]
        values = [tf.constant([[4], [5]]), tf.constant([["a", "b"], ["c", "d"]])]
        encode, tensor = PROTO.encode_proto, "tensorflow.TensorProto"
        return [
            encode([[0, 2], [1, 1]], values, names, "tensorflow.ConfigProto"),
            encode([[2]], [tf.constant([[4.0, 5.0]])], ["float_val"], tensor),
            encode([[2]], [tf.constant([[-4, 5]])], ["int_val"], tensor),
        ]

    configs, floats, ints = run(build)
    assert configs.tolist() == [b'"\x01a"\x01b', b'"\x01c(\x05']
    assert floats.tolist() == [b"*\x08\x00\x00\x80@\x00\x00\xa0@"]
    assert ints.tolist() == [b":\x0b\xfc" + b"\xff" * 8 + b"\x01\x05"]


def test_numbers_of_every_kind(eager):  # noqa: F811
    proto = tf.contrib.util.make_tensor_proto([1.0, 2.0, 3.0])
    proto.ClearField("tensor_content")
    proto.float_val[:] = [1, 2, 3]
    proto.int_val.append(-4)
    proto.uint64_val.append(2**63 + 5)
    fields = {
        "dtype": (tf.int32, [1]), "float_val": (tf.float64, [1, 2, 3]),
        "int_val": (tf.int32, [-4]), "uint64_val": (tf.uint64, [2**63 + 5]),
        "version_number": (tf.int32, [0]), "double_val": (tf.float64, []),
    }  # fmt: skip
    found = PROTO.decode_proto(
        proto.SerializeToString(), "tensorflow.TensorProto", list(fields),
        [dtype for dtype, _ in fields.values()],
    )  # fmt: skip
    assert found.sizes.numpy().tolist() == [1, 3, 1, 1, 0, 0]
    for values, (_, want) in zip(found.values, fields.values(), strict=True):
        assert values.numpy().tolist() == want


def test_messages_of_a_file_of_descriptors(eager, tmp_path):  # noqa: F811
    from google.protobuf import descriptor_pb2

    files = descriptor_pb2.FileDescriptorSet()
    file = files.file.add(name="a.proto", package="mine", syntax="proto2")
    field = file.message_type.add(name="Pair").field.add(name="x", number=1)
    field.type, field.label, field.default_value = field.TYPE_SINT32, 1, "7"
    path = tmp_path / "descriptors"
    path.write_bytes(files.SerializeToString())
    for source in (str(path), "bytes://" + files.SerializeToString().decode("latin-1")):
        code = PROTO.encode_proto([[1]], [[[-2]]], ["x"], "mine.Pair", source)
        assert code.numpy().tolist() == [b"\x08\x03"]
        found = PROTO.decode_proto(
            [b"\x08\x03", b""], "mine.Pair", ["x"], [tf.int32], source
        )
        assert found.values[0].numpy().tolist() == [[-2], [7]]


@pytest.mark.parametrize(
    "data, kind, names, types, more, text",
    [
        (b"", "GPUOptions", ["no"], [tf.bool], {}, "Unknown field: no in message type"),
        (b"", "Nope", ["no"], [tf.bool], {}, "No descriptor found for message type"),
        (b"", "GPUOptions", ["allow_growth"], [tf.int32], {},
         "tensorflow.GPUOptions.allow_growth: 7 to 3"),
        (b"", "GPUOptions", ["allow_growth"], [], {}, "must have the same length"),
        (b"", "GPUOptions", ["allow_growth"], [tf.bool], {"message_format": "x"},
         "format must be one of binary or text"),
        (b"\xff\xff", "GPUOptions", ["allow_growth"], [tf.bool], {},
         "Failed to consume entire buffer"),
        (b"allow_growth: z", "GPUOptions", ["allow_growth"], [tf.bool],
         {"message_format": "text"}, "Unable to parse text protobuf"),
        (b"", "GPUOptions", ["allow_growth"], [tf.bool],
         {"descriptor_source": "/no/file"}, "/no/file not found"),
    ],
)  # fmt: skip
def test_refused_messages(eager, data, kind, names, types, more, text):  # noqa: F811
    with pytest.raises(tf.errors.OpError, match=text):
        PROTO.decode_proto(data, f"tensorflow.{kind}", names, types, **more)


# ---------------------------------------------------------------------- strings
@both
def test_strings_as_hashes_and_facts(run):
    words = [b"a", b"abc", b"", b"hello world"]
    found, fact = run(
        lambda: [
            apply(ReinterpretStringToFloat, (words,)),
            tf.user_ops.my_fact(),
        ]
    )
    want = [4.9938928e18, 3.6637267e18, 6.1425091e18, 5.5772936e18]
    np.testing.assert_allclose(found, np.float32(want), rtol=1e-7)
    assert fact == b"0! == 1"


# ---------------------------------------------------------------------- variables
def test_ops_on_references(graph):  # noqa: F811
    v = tf.Variable(np.zeros((2, 3, 2), np.float32))
    counter = tf.Variable(np.int64(0))
    rows = apply(ScatterAddNdim, (v._ref(), [[0, 1], [1, 2]], [[1.0, 2], [3, 4]]))
    single = apply(ScatterAddNdim, (v._ref(), [[0, 1, 1], [0, 1, 1]], [1.0, 5]))
    far = apply(ScatterAddNdim, (v._ref(), [[0, 9]], [[1.0, 2]]))
    following = apply(ObtainNext, (tf.constant(["a", "b", "c"]), counter._ref()))
    zeros = apply(ZeroInitializer, (v._ref(),))
    with tf.Session() as session:
        assert session.run(zeros).tolist() == np.zeros((2, 3, 2)).tolist()
        with pytest.raises(tf.errors.InvalidArgumentError, match="is already init"):
            session.run(zeros)
        session.run([counter.initializer, v.initializer])
        session.run(rows)
        session.run(single)
        want = [[[0, 0], [1, 8], [0, 0]], [[0, 0], [0, 0], [3, 4]]]
        assert session.run(v).tolist() == want
        with pytest.raises(tf.errors.InvalidArgumentError, match="must lie in"):
            session.run(far)
        found = [session.run(following) for _ in range(5)]
        assert found == [b"b", b"c", b"a", b"b", b"c"]


def test_ops_on_handles(graph):  # noqa: F811
    r = tf.get_variable("r", [2], use_resource=True)
    made = apply(ZeroVarInitializer, (r.handle,), {"dtype": tf.float32, "shape": (2,)})
    chosen = apply(RefSelect, (1, [tf.constant(1.0), tf.constant(2.0)]))
    for others, shape in ([[2.0, 1.0]], None), ([3.0], [1]):
        inputs = [tf.constant([1.0]), tf.constant(others)]
        assert apply(RefSelect, (0, inputs)).shape.ndims == (shape and 1)
    wrong = apply(RefSelect, (2, [tf.constant(1.0), tf.constant(2.0)]))
    queue = tf.FIFOQueue(2, tf.int32)
    handle = apply(FakeQueue, (queue.queue_ref,))
    put = generated.function("python.ops.gen_data_flow_ops", "queue_enqueue_v2")
    kept = apply(GetSessionHandleV2, (tf.constant([1.0, 2.0]),), {"cell": None}).dtype
    with tf.Session() as session:
        session.run(made.op)
        assert session.run(r).tolist() == [0, 0] and session.run(chosen) == 2.0
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[0, 2\) but got 2"):
            session.run(wrong)
        session.run(put(handle, [tf.constant(7)]))
        assert session.run(queue.dequeue()) == 7 and kept is tf.resource


# ---------------------------------------------------------------------- other programs
PROGRAM = """
import twinflow as tf
from twinflow.base.dispatch import apply
from twinflow.ops.debugging.abort import Abort
tf.enable_eager_execution()
apply(Abort, (), {"error_msg": "told so", "exit_without_error": %s})
print("still here")
"""


@pytest.mark.parametrize("quietly", [True, False])
def test_a_process_ends_where_it_is_told_to(quietly):
    assert Abort.stateful
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM % quietly], capture_output=True, timeout=60
    )
    assert (found.returncode == 0) is quietly and b"still here" not in found.stdout
    assert (b"told so" in found.stderr) is not quietly


def _fake_ffmpeg(folder, monkeypatch, output):
    program = folder / "ffmpeg"
    program.write_text(f"#!{sys.executable}\nimport sys\n{output}")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_sound_comes_from_ffmpeg(eager, tmp_path, monkeypatch):  # noqa: F811
    """What is written to the program and read from it; the program is played."""
    _fake_ffmpeg(
        tmp_path, monkeypatch,
        "assert sys.argv[4:6] == ['-f', 'mp3'] and '-ac' in sys.argv\n"
        "assert open(sys.argv[7], 'rb').read() == b'song'\n"
        "sys.stdout.buffer.write(bytes([0, 64, 0, 192, 255, 127]))",
    )  # fmt: skip
    found = tf.contrib.ffmpeg.decode_audio(b"song", "mp3", 8000, 1).numpy()
    np.testing.assert_allclose(found, [[0.5], [-0.5], [1]], atol=1e-4)
    attrs = {"file_format": "mp3", "samples_per_second": 8000, "channel_count": 3}
    assert apply(ffmpeg.DecodeAudio, (b"song",), attrs).shape == (1, 3)


def test_films_come_from_ffmpeg(eager, tmp_path, monkeypatch):  # noqa: F811
    frame = "b'P6\\n2 1\\n255\\n' + bytes(range(6))"
    _fake_ffmpeg(tmp_path, monkeypatch, f"sys.stdout.buffer.write(({frame}) * 3)")
    found = tf.contrib.ffmpeg.decode_video(b"film").numpy()
    assert found.shape == (3, 1, 2, 3) and found[2, 0, 1].tolist() == [3, 4, 5]
    _fake_ffmpeg(tmp_path, monkeypatch, "sys.exit(1)")
    assert tf.contrib.ffmpeg.decode_video(b"film").shape == (0, 0, 0, 3)


def test_without_ffmpeg(eager, monkeypatch):  # noqa: F811
    monkeypatch.setenv("PATH", "")
    with pytest.raises(tf.errors.UnavailableError, match="FFmpeg must be installed"):
        tf.contrib.ffmpeg.decode_audio(b"", "wav", 10, 1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="mp3, mp4, ogg, wav"):
        tf.contrib.ffmpeg.decode_audio(b"", "zzz", 10, 1)
    with pytest.raises(tf.errors.InvalidArgumentError, match='must be "wav", but got'):
        tf.contrib.ffmpeg.encode_audio(np.zeros((3, 1), np.float32), "mp3", 10)
    file = tf.contrib.ffmpeg.encode_audio(np.zeros((3, 1), np.float32), "wav", 10)
    attrs = {"file_format": "wav", "samples_per_second": 10, "bits_per_second": 1}
    again = apply(ffmpeg.EncodeAudio, (np.zeros((3, 1), np.float32),), attrs)
    assert file.numpy() == again.numpy() and file.numpy()[:4] == b"RIFF"


def test_calls_of_other_processes(eager):  # noqa: F811
    grpc = pytest.importorskip("grpc")
    from concurrent import futures

    class Echo(grpc.GenericRpcHandler):
        def service(self, details):
            if details.method == "/a.B/Twice":
                return grpc.unary_unary_rpc_method_handler(lambda r, context: r * 2)
            return None

    server = grpc.server(futures.ThreadPoolExecutor(2), handlers=[Echo()])
    address = f"localhost:{server.add_insecure_port('localhost:0')}"
    server.start()
    try:
        found = tf.contrib.rpc.rpc(address, "/a.B/Twice", ["a", "bc"])
        assert found.numpy().tolist() == [b"aa", b"bcbc"]
        methods = ["/a.B/Twice", "/a.B/None"]
        found, codes, texts = tf.contrib.rpc.try_rpc(address, methods, "x")
        assert found.numpy().tolist() == [b"xx", b""]
        assert codes.numpy().tolist() == [0, tf.errors.UNIMPLEMENTED]
        assert texts.numpy()[0] == b"" and texts.numpy()[1]
        with pytest.raises(tf.errors.UnimplementedError):
            tf.contrib.rpc.rpc(address, "/a.B/None", "x")
    finally:
        server.stop(None)
    with pytest.raises(tf.errors.UnimplementedError, match="protocol 'x'"):
        tf.contrib.rpc.rpc(address, "/a.B/None", "x", protocol="x")
