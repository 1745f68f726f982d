"""A process of benchmarks.depth: PyTorch. MODE WAY DEPTH."""

import sys

import torch
from torch.utils.checkpoint import checkpoint

from benchmarks.growth import BATCH, CHANNELS, PIXELS, tell

WAY, DEPTH = sys.argv[2], int(sys.argv[3])


class Pair(torch.nn.Module):
    """A residual block of two convolutions on the halves of the channels."""

    def __init__(self):
        super().__init__()
        self.f = torch.nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1)
        self.g = torch.nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1)

    def forward(self, x):
        x1, x2 = x.chunk(2, 1)
        y1 = x1 + torch.relu(self.f(x2))
        return torch.cat([y1, x2 + torch.relu(self.g(y1))], 1)


def main():
    torch.manual_seed(1)
    images = torch.randn(BATCH, 2 * CHANNELS, PIXELS, PIXELS) * 0.1
    blocks = torch.nn.ModuleList(Pair() for _ in range(DEPTH))

    def step():
        x = images
        for block in blocks:
            again = WAY == "recomputed"
            x = checkpoint(block, x, use_reentrant=False) if again else block(x)
        loss = (x * x).mean()
        return torch.autograd.grad(loss, list(blocks.parameters()))

    tell(step)


main()
