"""Every format of docs/formats.md is read from and written for a real peer."""

import re

from tests.source_tree import ROOT

# {row: (a test that reads what the peer wrote, a test in which it reads ours)}
TESTED = {
    "checkpoints": (
        "checkpoint/test_interop.py::test_a_saver_is_read",
        "checkpoint/test_interop.py::test_a_training_graph_goes_on_there",
    ),
    "GraphDef": (
        "export/test_newer.py::test_frozen_graph",
        "graph/test_frozen_graphs.py::test_tensorflow_2_21_runs_our_graphs",
    ),
    "SavedModels, as graphs": (
        "export/test_newer.py::test_signature_of_keras_model",
        "export/test_objects.py::test_tensorflow_2_loads_what_we_write",
    ),
    "SavedModels, as objects": (
        "export/test_objects.py::test_tables_of_several_kinds", None
    ),
    "Keras models, HDF5": (
        "keras/test_interop_hdf5.py::test_models_and_their_optimizers",
        "keras/test_interop_hdf5.py::test_weights",
    ),
    "Keras 3: `.keras`": (
        "keras/test_keras3.py::test_model_of_keras3",
        "keras/test_keras3.py::test_keras3_reads_ours",
    ),
    "Keras 3: whole": (
        "keras/test_keras3.py::test_model_of_keras3",
        "keras/test_keras3.py::test_keras3_reads_ours",
    ),
    "safetensors": ("cli/test_convert.py::test_against_the_package",) * 2,
    "ONNX": (
        "interchange/onnx/test_torch_exports.py::test_models",
        "interchange/onnx/test_layers.py::test_layer",
    ),
    "StableHLO": (
        "interchange/test_stablehlo.py::test_artifacts_of_others",
        "interchange/test_stablehlo.py::test_jax_alone_runs_and_differentiates_it",
    ),
    "DLPack": ("interchange/test_arrays.py::test_round_trip",) * 2,
    "jax functions": (
        "interchange/test_from_jax.py::test_gradients_of_two_orders",
        "interchange/test_to_jax.py::test_gradients_of_a_loop",
    ),
    "torch modules": (
        "interchange/test_torch.py::test_a_module_and_its_gradients_of_two_orders",
        "interchange/test_torch.py::test_in_a_module_that_torch_trains",
    ),
    "TensorFlow Lite": (
        "contrib/lite/test_interpreter.py::test_runs_what_is_set",
        "contrib/lite/test_models.py::test_layers",
    ),
}  # fmt: skip


def _rows():
    """[cells] of the table: the format, how it is read and written, and so on."""
    lines = (ROOT / "docs" / "formats.md").read_text().splitlines()
    lines = [line for line in lines if line.startswith("| ")]
    return [[c.strip() for c in line.strip("|").split("|")] for line in lines[1:]]


def test_every_format_has_its_peer():
    rows = _rows()
    assert len(rows) == len(TESTED)
    for (name, read, write, *_), (begin, tests) in zip(
        rows, TESTED.items(), strict=True
    ):
        assert name.startswith(begin)
        assert [bool(read), bool(write)] == [test is not None for test in tests]


def test_the_tests_are_there():
    for test in {t for pair in TESTED.values() for t in pair if t}:
        file, _, function = test.partition("::")
        text = (ROOT / "tests" / file).read_text()
        assert re.search(rf"^def {function}\(", text, re.MULTILINE), test
        marked = "pytest.mark.interop" in text or "pytest.mark.exchange" in text
        assert marked or file.startswith("interchange/") or "tflite" in test
