"""The input pipelines in PyTorch; its worker processes import this module."""

import torch
from torch.utils.data import DataLoader, Dataset, Sampler

from benchmarks import images
from benchmarks.case import Case

WARM_UP = 1.0  # seconds, in which processes start too
_TWO = {"num_workers": 2, "persistent_workers": True}
WAYS = {
    "num_workers=0": {},
    "num_workers=2": _TWO,
    "num_workers=2, spawn": {**_TWO, "multiprocessing_context": "spawn"},
}
ROWS = {
    "data_python": list(WAYS),
    "data_numpy": list(WAYS)[1:],
    "data_processes": list(WAYS)[1:],
}


class Images(Dataset):
    """The images, each after `work`."""

    def __init__(self, work):
        self.rows, self.work = images.images(), work

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.work(self.rows[i])


class Endless(Sampler):
    """All numbers below `count` in random order, again and again."""

    def __init__(self, count):
        self.count = count

    def __iter__(self):
        while True:
            yield from torch.randperm(self.count).tolist()


def _case(row, way):
    def make():
        dataset = Images(images.WORK[row])
        sampler = Endless(len(dataset))
        loader = DataLoader(dataset, images.BATCH, sampler=sampler, **WAYS[way])
        names = {"epoch": images.epoch, "batches": iter(loader)}
        return Case("epoch(batches)", names, warm_up=WARM_UP)

    return make


def cases():
    """{row: {variant: a function that makes its Case}}."""
    return {row: {way: _case(row, way) for way in ways} for row, ways in ROWS.items()}
