"""`twinflow graph` and `twinflow saved-model`: models, and what they give."""

import json

import numpy as np
import pytest

import twinflow as tf
from twinflow.cli import saved_models
from twinflow_terminal.main import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model as SavedModel, checkpoint with MetaGraph, and GraphDefs."""
    folder = tmp_path_factory.mktemp("model")
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=[[1.0], [10.0]])
        y = tf.matmul(x, w, name="y")
        sess.run(tf.global_variables_initializer())
        tf.saved_model.simple_save(sess, str(folder / "saved"), {"x": x}, {"y": y})
        tf.train.Saver().save(sess, str(folder / "model.ckpt"))
        tf.train.write_graph(sess.graph, str(folder), "g.pb", as_text=False)
        tf.train.write_graph(sess.graph, str(folder), "g.pbtxt")
    return folder


@pytest.mark.parametrize("name", ["g.pb", "g.pbtxt", "model.ckpt.meta", "saved"])
def test_graphs(folder, name, capsys):
    assert main(["graph", "--json", str(folder / name)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["inputs"] == {"x": "float32[?, 2]"}
    assert found["variables"] == {"w": "float32[2, 1]"}
    assert found["ops"]["MatMul"] == 1
    assert sum(found["ops"].values()) == found["nodes"]
    assert 0 < found["constants"] < found["bytes"]


def test_a_graph_as_text(folder, capsys):
    assert main(["graph", str(folder / "g.pb")]) == 0
    out = capsys.readouterr().out
    assert "\ninputs (1)\n  x  float32[?, 2]\n" in out
    assert "\nops by type\n" in out and "y" in out.split("outputs")[1]


def test_what_is_no_graph(folder, tmp_path, capsys):
    (tmp_path / "a.pb").write_bytes(b"\x00\x01 no graph")
    assert main(["graph", str(tmp_path / "a.pb")]) == 2
    assert "holds neither a GraphDef nor a MetaGraph" in capsys.readouterr().err
    assert main(["graph", str(tmp_path / "b.pb")]) == 2
    assert main(["graph", str(folder / "saved"), "--tags", "gpu"]) == 2
    assert "gpu" in capsys.readouterr().err


def test_signatures(folder, capsys):
    saved = str(folder / "saved")
    assert main(["saved-model", "show", saved]) == 0
    out = capsys.readouterr().out
    assert "serving_default  tensorflow/serving/predict" in out
    assert [line.split() for line in out.splitlines()[3:]] == [
        ["inputs", "x", "float32[?,", "2]", "x:0"],
        ["outputs", "y", "float32[?,", "1]", "y:0"],
    ]
    assert main(["saved-model", "show", "--json", saved]) == 0
    found = json.loads(capsys.readouterr().out)
    inputs = found["serve"]["serving_default"]["inputs"]
    assert inputs == {"x": {"dtype": "float32", "shape": [-1, 2], "tensor": "x:0"}}
    assert main(["saved-model", "show", saved, "--signature", "other"]) == 2
    assert "there is no signature 'other'" in capsys.readouterr().err


def test_a_run(folder, tmp_path, capsys):
    saved, kept = str(folder / "saved"), str(tmp_path / "kept.npz")
    np.savez(tmp_path / "two.npz", a=np.ones([1, 2]), b=np.zeros([1, 2]))
    run = ["saved-model", "run", saved]
    assert main([*run, "--input", "x=[[1, 2], [3, 4]]"]) == 0
    assert capsys.readouterr().out == "y float32[2, 1]\n[[21.]\n [43.]]\n"
    assert main([*run, "--input", f"x=@{tmp_path}/two.npz:a", "--to", kept]) == 0
    assert capsys.readouterr().out == f"y -> {kept}\n"
    assert np.load(kept)["y"].tolist() == [[11.0]]


@pytest.mark.parametrize(
    ("inputs", "what"),
    [
        ([], "the signature needs --input x=VALUE, too"),
        (["z=1"], "with one of the names ['x'], got 'z=1'"),
        (["x=[[1, 2, 3]]"], "Cannot feed value of shape (1, 3)"),
        (["x=open('a', 'w')"], "is no Python literal"),
        (["x=@none.npy"], "No such file"),
    ],
)
def test_inputs_that_cannot_be_taken(folder, inputs, what, capsys):
    words = [word for text in inputs for word in ("--input", text)]
    assert main(["saved-model", "run", str(folder / "saved"), *words]) == 2
    assert what in capsys.readouterr().err


def test_values(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(3))
    np.savez(tmp_path / "one.npz", a=np.arange(2))
    np.savez(tmp_path / "two.npz", a=np.arange(2), b=np.arange(4))
    of = saved_models.value_of
    assert of("[1, 2.5]") == [1, 2.5] and of("'text'") == "text"
    assert of("zeros(2, 3)").shape == (2, 3) and of("ones()") == 1
    assert of(f"@{tmp_path}/a.npy").tolist() == [0, 1, 2]
    assert of(f"@{tmp_path}/one.npz").tolist() == [0, 1]
    assert len(of(f"@{tmp_path}/two.npz:b")) == 4
    with pytest.raises(ValueError, match="holds"):
        of(f"@{tmp_path}/two.npz")
    np.save(tmp_path / "o.npy", np.array([print], object), allow_pickle=True)
    with pytest.raises(ValueError, match="allow_pickle"):
        of(f"@{tmp_path}/o.npy")
