"""The input pipelines in PyTorch; its worker processes import this module."""

import io

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset, Sampler

from benchmarks import images, jpegs
from benchmarks.case import Case

try:
    from PIL import Image
except ImportError:
    Image = None

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


class Pictures(Dataset):
    """JPEG files as people read them: by Pillow, then as tensors."""

    def __init__(self):
        self.files, self.windows, self.turned = jpegs.load()
        self.mean = torch.tensor(jpegs.MEAN).view(3, 1, 1)
        self.deviation = torch.tensor(jpegs.DEVIATION).view(3, 1, 1)

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        y, x, height, width = self.windows[i].tolist()
        image = Image.open(io.BytesIO(self.files[i])).convert("RGB")
        image = image.crop((x, y, x + width, y + height))
        image = image.resize((jpegs.SIDE, jpegs.SIDE), Image.Resampling.BILINEAR)
        if self.turned[i]:
            image = image.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        pixels = torch.from_numpy(np.array(image)).permute(2, 0, 1).float().div(255)
        return (pixels - self.mean) / self.deviation


class InTurn(Sampler):
    """All numbers below `count`, again and again."""

    def __init__(self, count):
        self.count = count

    def __iter__(self):
        while True:
            yield from range(self.count)


def _jpeg_case(workers):
    def make():
        loader = DataLoader(
            Pictures(), jpegs.BATCH, sampler=InTurn(jpegs.COUNT), num_workers=workers
        )
        names = {"epoch": jpegs.epoch, "batches": iter(loader)}
        return Case("epoch(batches)", names, warm_up=WARM_UP)

    return make


def _jpeg_cases():
    if Image is None:  # a Python that the user named
        return {}
    return {row: {f"num_workers={n}": _jpeg_case(n)} for row, n in jpegs.ROWS.items()}


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
    found = {row: {way: _case(row, way) for way in ways} for row, ways in ROWS.items()}
    return {**found, **_jpeg_cases()}
