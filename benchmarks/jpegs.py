"""Pictures as ImageNet has them, and what a training program does to each.

The files are made once, by the Python that runs the benchmark, and read by all
frameworks: 64 JPEG files of some 60 KB, with the part of each that is cut out, and
whether it is turned round. No framework is imported here.
"""

import io
from pathlib import Path

import numpy as np

try:
    from PIL import Image
except ImportError:  # TensorFlow's Python reads what was made
    Image = None

PLACE = Path(__file__).resolve().parent.parent / ".venv" / "bench" / "jpegs.npz"
COUNT, BATCH, SIDE = 64, 32, 224
BATCHES = 8  # that are counted: more than anyone has ready when counting begins
ROWS = {"data_jpeg": 1, "data_jpeg_2": 2}  # row: how many workers
MEAN = np.array([0.485, 0.456, 0.406], np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)
TOLERANCE = 0.02  # Pillow blurs before it makes smaller, and rounds to bytes


def _picture(random):
    """uint8[height, width, 3]: smooth, with some noise."""
    height, width = random.integers(330, 500, 2).tolist()
    coarse = random.integers(0, 256, (height // 16, width // 16, 3), np.uint8)
    smooth = Image.fromarray(coarse).resize((width, height), Image.Resampling.BICUBIC)
    noisy = np.asarray(smooth) + random.normal(0, 8, (height, width, 3))
    return np.clip(noisy, 0, 255).astype(np.uint8)


def _file(picture):
    out = io.BytesIO()
    Image.fromarray(picture).save(out, "JPEG", quality=90)
    return out.getvalue()


def _window(random, shape):
    """(first row, first column, height, width) of a part."""
    sizes = [int(n * random.uniform(0.5, 1)) for n in shape[:2]]
    return [*(random.integers(0, n - k + 1) for n, k in zip(shape, sizes)), *sizes]


def make():
    """Write the files, if they are not there."""
    if PLACE.exists():
        return
    random = np.random.default_rng(7)
    pictures = [_picture(random) for _ in range(COUNT)]
    files = [_file(picture) for picture in pictures]
    PLACE.parent.mkdir(parents=True, exist_ok=True)
    np.savez(
        PLACE,
        data=np.frombuffer(b"".join(files), np.uint8),
        ends=np.cumsum([len(f) for f in files]),
        windows=np.array([_window(random, p.shape) for p in pictures], np.int32),
        turned=random.integers(0, 2, COUNT).astype(bool),
    )


def load():
    """(list of bytes, int32[64, 4] windows, bool[64] whether turned round)."""
    make()
    with np.load(PLACE) as found:
        data, ends = found["data"].tobytes(), found["ends"].tolist()
        files = [data[a:b] for a, b in zip([0, *ends], ends)]
        return files, found["windows"], found["turned"]


def epoch(batches):
    """The mean of all pixels of the next 256 pictures of an endless iterator."""
    return np.mean([np.asarray(next(batches)).mean() for _ in range(BATCHES)])
