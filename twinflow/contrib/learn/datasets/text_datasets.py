"""The DBpedia set of Xiang Zhang and others (2015): texts of fourteen classes."""

import os
import tarfile
from typing import Any

import numpy as np

from twinflow.base import files
from twinflow.contrib.learn.datasets.digits import maybe_download
from twinflow.contrib.learn.datasets.tables import (
    Dataset,
    Datasets,
    load_csv_without_header,
    shrink_csv,
)

_FOLDER = "https://github.com/le-scientifique/torchDatasets/raw/master/"
_ARCHIVE = "dbpedia_csv.tar.gz"
DBPEDIA_URL = _FOLDER + _ARCHIVE
_MADE_UP = {
    "train": [(1, "Acme", "Acme is a company."), (4, "Ada", "Ada is an athlete.")],
    "test": [(12, "Blue", "Blue is an album.")],
}


def maybe_download_dbpedia(data_dir: str) -> None:
    """Unpack the archive of the set in a folder, if that has not been done.

    Raises:
        NotFoundError: the archive is not there: twinflow loads nothing from the
            network. The text says where to put it.
    """
    folder = os.path.join(data_dir, "dbpedia_csv")
    if not all(files.Exists(os.path.join(folder, f"{p}.csv")) for p in _MADE_UP):
        archive = maybe_download(_ARCHIVE, data_dir, _FOLDER)
        with tarfile.open(archive, "r:*") as file:
            file.extractall(data_dir, filter="data")


def _part(name, size):
    path = os.path.join("dbpedia_data", "dbpedia_csv", f"{name}.csv")
    if size == "small":
        small = path.replace(".csv", "_small.csv")
        if not files.Exists(small):
            shrink_csv(path, 1000)
        path = small
    return load_csv_without_header(path, np.int32, "str", target_column=0)


def _made_up(name):
    labels, *texts = zip(*_MADE_UP[name], strict=True)
    return Dataset(data=np.array(texts).T, target=np.array(labels, np.int32))


def load_dbpedia(size: Any = "small", test_with_fake_data: bool = False) -> Datasets:
    """Titles and abstracts of DBpedia, from the folder `dbpedia_data`.

    Args:
        size: "small" for one text in a thousand.
        test_with_fake_data: need no files, give three made-up texts.
    Returns:
        Datasets(train, None, test): each str[n, 2] and int32[n], from 1 to 14.
    Raises:
        NotFoundError: the archive is not there; the text says where to put it.
    Example:
        texts = tf.contrib.learn.datasets.load_dataset(
            "dbpedia", test_with_fake_data=True
        )
        texts.train.data.shape  # (2, 2)
    """
    if test_with_fake_data:
        return Datasets(_made_up("train"), None, _made_up("test"))
    maybe_download_dbpedia("dbpedia_data")
    return Datasets(_part("train", size), None, _part("test", size))
