"""tf.contrib.learn's sets of examples, texts and categories, as in TensorFlow 1.12."""

import contextlib
import os
import pickle

import numpy as np
import pytest

import twinflow as tf

learn = tf.contrib.learn
base, text = learn.datasets.base, learn.preprocessing


def test_tables_have_the_numbers_of_1_12():
    iris, boston = (learn.datasets.load_dataset(name) for name in ("iris", "boston"))
    assert iris.data.shape == (150, 4) and iris.target.dtype == np.int64
    np.testing.assert_allclose([iris.data.sum(), iris.target.sum()], [2078.2, 150])
    assert boston.data.shape == (506, 13)
    np.testing.assert_allclose(boston.data.sum(), 460936.56, rtol=1e-7)
    np.testing.assert_allclose(boston.target.sum(), 11401.6)


def test_files_with_and_without_a_head(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("3,2,x,y\n1.5,2,0\n3,4,1\n5,6.25,2\n")
    found = base.load_csv_with_header(str(path), np.int64, np.float32)
    assert found.data.tolist() == [[1.5, 2], [3, 4], [5, 6.25]]
    assert found.target.tolist() == [0, 1, 2]
    base.shrink_csv(str(path), 2)
    assert (tmp_path / "a_small.csv").read_text() == "3,2,x,y\n3,4,1\n"
    path.write_text("1.5,2,0\n3,4,1\n")
    found = base.load_csv_without_header(str(path), np.float32, np.float64, 0)
    assert found.target.tolist() == [1.5, 3] and found.data[1].tolist() == [4, 1]


def test_synthetic_points():
    found = learn.datasets.make_dataset("circles", n_samples=7, noise=0.1, seed=3)
    wanted = [[-0.96275853, 0.03978859], [1.09392364, -0.11804086]]
    np.testing.assert_allclose(found.data[:2], wanted, rtol=1e-6)
    assert found.target.tolist() == [1, 0, 1, 0, 1, 0, 0]
    found = learn.datasets.make_dataset("spirals", n_samples=9, noise=0.1, seed=3)
    assert found.target.tolist() == [1, 1, 0, 0, 0, 1, 1, 0, 0]
    with pytest.raises(ValueError, match="Synthetic dataset not found or not implem"):
        learn.datasets.make_dataset("lines")


def test_what_is_missing_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tf.errors.NotFoundError, match="put it there"):
        learn.datasets.load_dataset("dbpedia")
    with pytest.raises(ValueError, match="Name of dataset is not found: nope"):
        learn.datasets.load_dataset("nope")


def test_vocabularies(tmp_path):
    texts = ["Hello World, this is a test.", "Don't stop: HTTPServer is here, is it?"]
    words = text.VocabularyProcessor(6)
    found = np.array(list(words.fit_transform([*texts, "is is a a well-known thing"])))
    wanted = [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 4, 11], [4, 4, 5, 5, 13, 14]]
    assert found.tolist() == wanted
    path = str(tmp_path / "words")
    words.save(path)
    again = text.VocabularyProcessor.restore(path)
    assert next(again.transform(["a new test"])).tolist() == [5, 0, 6, 0, 0, 0]
    assert next(again.reverse([[1, 2, 0]])) == "Hello World <UNK>"
    rare = text.VocabularyProcessor(4, min_frequency=1)
    assert next(rare.fit_transform(["is a is a b is"])).tolist() == [1, 2, 1, 2]


def own_tokenizer(documents):
    return (document.split() for document in documents)


class Harmful:
    def __reduce__(self):
        return os.system, ("touch harm",)


def test_files_of_vocabularies_run_no_code(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    restore = text.VocabularyProcessor.restore
    for thing in (Harmful(), [Harmful()], os.system, own_tokenizer):
        with open("words", "wb") as file:
            pickle.dump(thing, file)
        with pytest.raises(ValueError, match=r"words asks for .*safe_mode=False"):
            restore("words")
    assert not os.path.exists("harm")
    words = text.VocabularyProcessor(3, tokenizer_fn=own_tokenizer)
    words.fit(["a b"])
    words.save("words")
    with pytest.raises(ValueError, match="own_tokenizer, which a vocabulary"):
        restore("words")
    again = restore("words", safe_mode=False)
    assert next(again.transform(["b a c"])).tolist() == [2, 1, 0]
    monkeypatch.setenv("TWINFLOW_SAFE_MODE", "0")
    assert restore("words").max_document_length == 3


@pytest.mark.parametrize("protocol", range(6))
def test_damaged_files_of_vocabularies(protocol, tmp_path):
    words = text.VocabularyProcessor(3)
    words.fit(["a b"])
    data, path = pickle.dumps(words, protocol), str(tmp_path / "words")
    random = np.random.RandomState(0)
    for turn in range(100):
        with open(path, "wb") as file:
            cut = data if turn == 0 else data[: random.randint(len(data))]
            changed = bytearray(data)
            changed[random.randint(len(data))] = random.randint(256)
            file.write(cut if turn % 2 == 0 else bytes(changed))
        if turn == 0:
            again = text.VocabularyProcessor.restore(path)
            assert next(again.reverse([[1, 2, 0]])) == "a b <UNK>"
            continue
        with contextlib.suppress(ValueError):
            again = text.VocabularyProcessor.restore(path)
            assert isinstance(again, text.VocabularyProcessor)


def test_categories_and_bytes():
    table = np.array([["0", "Male"], [np.nan, "Female"], ["0", "Female"]], object)
    found = list(text.CategoricalProcessor(min_frequency=1).fit_transform(table))
    assert np.array(found).tolist() == [[1, 0], [0, 1], [1, 1]]
    rows = list(text.ByteProcessor(8).transform(["abc", "héllo wörld"]))
    assert rows[1].tolist() == [104, 195, 169, 108, 108, 111, 32, 119]
    assert list(text.ByteProcessor(8).reverse(rows)) == ["abc", "héllo w"]
