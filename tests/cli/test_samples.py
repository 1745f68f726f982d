"""`twinflow run --sample-data`: look-alikes of data sets that are not there."""

import gzip
import hashlib
import os
import urllib.request
import zipfile
from pathlib import Path

import numpy as np
import pytest

import twinflow as tf
from tests.cli.test_run import twinflow
from twinflow.base import errors, files, known_files
from twinflow.cli import hints
from twinflow.cli.samples import making, pictures, texts, words
from twinflow.contrib.learn.datasets import digits
from twinflow_terminal.running import Options

DATASETS, get_file = tf.keras.datasets, tf.keras.utils.get_file
OLD = """
from tensorflow.examples.tutorials.mnist import input_data
import tensorflow as tf
mnist = input_data.read_data_sets("MNIST_data/", one_hot=True)
x, y_ = tf.placeholder("float", [None, 784]), tf.placeholder("float", [None, 10])
logits = tf.layers.dense(x, 10)
loss = tf.losses.softmax_cross_entropy(y_, logits)
step = tf.train.AdamOptimizer(0.01).minimize(loss)
sess = tf.InteractiveSession()
sess.run(tf.initialize_all_variables())
for i in xrange(300 / 2):
    images, labels = mnist.train.next_batch(100)
    value, _ = sess.run([loss, step], {x: images, y_: labels})
    if i % 149 == 0: print "%d %.3f" % (i, value),
"""


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache of its own, small pictures, and no data sets; look-alikes are wanted."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(known_files, "maker", making.made)
    monkeypatch.setattr(pictures, "_TRAIN", 300)
    monkeypatch.setattr(pictures, "_TEST", 60)
    monkeypatch.setattr(pictures, "_COLOURED", 200)
    monkeypatch.setattr(texts, "_REVIEWS", 400)
    making._said.clear()
    return tmp_path


def parts(name):
    return [
        (x.shape, x.dtype.name, y.shape, y.dtype.name)
        for x, y in getattr(DATASETS, name).load_data()
    ]


@pytest.mark.parametrize(
    ("name", "train", "test"),
    [
        ("mnist", ((300, 28, 28), "uint8", (300,), "uint8"), 60),
        ("fashion_mnist", ((300, 28, 28), "uint8", (300,), "uint8"), 60),
        ("cifar10", ((1000, 32, 32, 3), "uint8", (1000, 1), "uint8"), 200),
        ("cifar100", ((1000, 32, 32, 3), "uint8", (1000, 1), "int64"), 200),
        ("boston_housing", ((404, 13), "float64", (404,), "float64"), 102),
        ("reuters", ((8982,), "object", (8982,), "int64"), 2246),
        ("imdb", ((400,), "object", (400,), "int64"), 400),
    ],
)
def test_shapes_and_dtypes(cache, capsys, name, train, test):
    found = parts(name)
    assert found[0] == train and found[1][0][0] == test
    said = capsys.readouterr().err
    assert said.count("WARNING") == 1 and "MADE-UP" in said
    assert parts(name) == found and capsys.readouterr().err == ""
    assert not (cache / ".keras").exists()


def test_a_linear_model_tells_the_reviews_apart(cache):
    (x, y), _ = DATASETS.imdb.load_data(num_words=80)
    index = DATASETS.imdb.get_word_index()
    good = {index[w] + 3 for w in words.PRAISE}
    bad = {index[w] + 3 for w in words.BLAME}
    score = [sum(w in good for w in t) - sum(w in bad for w in t) for t in x]
    assert np.mean((np.array(score) > 0) == y) > 0.9
    assert len(index) == 88584 == max(index.values())


def test_the_same_is_made_again(cache):
    def digest():
        kinds = ("MNIST", "iris", "PTB", "Nietzsche", "CIFAR-10")
        known = [k for k in known_files.table() if k.dataset in kinds]
        paths = [making.made(k) for k in known]
        data = [Path(p).read_bytes() for p in paths]
        for path in paths:
            os.remove(path)
        return [hashlib.sha256(d).hexdigest() for d in data]  # fmt: skip

    assert digest() == digest()


def test_without_scikit_learn(cache, monkeypatch):
    monkeypatch.setattr(pictures, "_sklearn", None)
    (x, y), _ = DATASETS.mnist.load_data()
    assert x[y == 1].mean() < x[y == 8].mean() and set(y) == set(range(10))


def test_real_files_win(cache, capsys):
    folder = cache / ".keras" / "datasets"
    folder.mkdir(parents=True)
    (folder / "shakespeare.txt").write_text("To be")
    path = get_file("shakespeare.txt", "https://a/shakespeare.txt")
    assert path == str(folder / "shakespeare.txt")
    with gzip.open(cache / "train-images-idx3-ubyte.gz", "wb") as file:
        file.write(b"real")
    with pytest.raises(errors.NotFoundError, match=r"no train-labels-idx1-ubyte\.gz"):
        digits.read_data_sets(str(cache))  # made-up labels do not fit real pictures
    assert capsys.readouterr().err == ""


def test_archives_texts_and_tables(cache):
    url = "https://ai.stanford.edu/~amaas/data/sentiment/aclImdb_v1.tar.gz"
    path = get_file("aclImdb.tar.gz", url, extract=True, file_hash="0" * 64)
    kinds = os.listdir(os.path.join(os.path.dirname(path), "aclImdb", "train"))
    assert sorted(kinds) == ["neg", "pos"]
    url = "http://download.tensorflow.org/data/iris_training.csv"
    lines = Path(get_file("iris_training.csv", url)).read_text().splitlines()
    assert lines[0] == "120,4,setosa,versicolor,virginica" and len(lines) == 121
    ptb = files.GFile("data/ptb.train.txt").read().replace("\n", "<eos>").split()
    assert len(ptb) > 100000 and 5000 < len(set(ptb)) <= 10000
    assert len(get_file("nietzsche.txt", "https://x/nietzsche.txt")) > 0
    with pytest.raises(errors.NotFoundError, match=r"get https://x/y\.txt and"):
        get_file("y.txt", "https://x/y.txt")


def test_urlretrieve_makes_a_link_for_the_time_of_the_program(cache, monkeypatch):
    ends = []
    monkeypatch.setattr(making.atexit, "register", lambda *args: ends.append(args))
    retrieve = making._retriever(urllib.request.urlretrieve)
    target = str(cache / "text8.zip")
    assert retrieve("http://mattmahoney.net/dc/text8.zip", target) == (target, {})
    assert os.stat(target).st_size == 31344016  # programs look
    with zipfile.ZipFile(target) as archive:
        assert len(set(archive.read("text8").split())) == 60000
    ((unlink, *args),) = ends
    unlink(*args)
    assert not os.path.lexists(target)


def test_errors_say_where_the_file_is_to_be_had(cache, monkeypatch):
    monkeypatch.setattr(known_files, "maker", None)
    with pytest.raises(errors.NotFoundError) as caught:
        DATASETS.cifar10.load_data()
    text = caught.value.message
    assert "https://www.cs.toronto.edu/~kriz/cifar-10-python.tar.gz" in text
    assert "(170,498,071 bytes)" in text and f"{cache}/.keras/datasets." in text
    assert "--sample-data" in text and "to be cifar-10-batches-py.tar.gz." in text
    base = tf.contrib.learn.datasets.base
    with pytest.raises(errors.NotFoundError, match=r"get http://a/b\.csv and put"):
        base.maybe_download("b.csv", str(cache), "http://a/b.csv")


def test_hints_for_errors_that_name_a_known_file(capsys):
    def fail(url):
        raise urllib.request.URLError(f"no way to anything of {len(url)} letters")

    with pytest.raises(OSError) as caught:
        fail("http://mattmahoney.net/dc/text8.zip")
    hints.say(caught.value, Options())
    assert "text8.zip of text8 (31,344,016 bytes)" in capsys.readouterr().err
    hints.say(errors.NotFoundError(None, None, "a/ptb.test.txt; No such"), Options())
    assert f"put it into {os.getcwd()}/a. " in capsys.readouterr().err
    hints.say(FileNotFoundError("other.txt"), Options())
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("error", "hinted"),
    [
        (NameError("name 'xrange' is not defined"), True),
        (NameError("name 'foo' is not defined"), False),
        (AttributeError("'dict' object has no attribute 'has_key'"), True),
        (TypeError("'map' object is not subscriptable"), True),
        (ModuleNotFoundError("No module named 'urllib2'", name="urllib2"), True),
        (ValueError("x"), False),
    ],
)
def test_hints_of_python_2(error, hinted, capsys):
    hints.say(error, Options())
    assert ("twinflow run --py2" in capsys.readouterr().err) == hinted
    hints.say(error, Options(py2=True))
    assert capsys.readouterr().err == ""


def test_an_old_tutorial_in_python_2_learns(tmp_path, monkeypatch):
    (tmp_path / "old.py").write_text(OLD)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    run = twinflow(tmp_path, "--py2", "--sample-data", "old.py")
    assert run.returncode == 0, run.stderr
    (_, first), (_, last) = np.array(run.stdout.split("gz")[-1].split()).reshape(2, 2)
    assert float(last) < 0.6 * float(first)
    assert run.stderr.count("WARNING: MNIST") == 1
    assert not (tmp_path / "MNIST_data").exists()
