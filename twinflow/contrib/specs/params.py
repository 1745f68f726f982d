"""Random numbers for parameters: U(niform), L(ogarithmic), N(ormal); f(loat), i(nt)."""

import math
import random


def Uf(lo: float = 0.0, hi: float = 1.0) -> float:
    """A uniform number."""
    return random.uniform(lo, hi)


def Ui(lo: int, hi: int) -> int:
    """A uniform integer, both ends included."""
    return random.randint(lo, hi)


def Lf(lo: float, hi: float) -> float:
    """A number whose logarithm is uniform."""
    return math.exp(random.uniform(math.log(lo), math.log(hi)))


def Li(lo: int, hi: int) -> int:
    """An integer whose logarithm is uniform."""
    return math.floor(Lf(lo, hi))


def Nt(mu: float, sigma: float, limit: float = 3.0) -> float:
    """A normal number, at most `limit` deviations from the mean."""
    return min(max(random.gauss(mu, sigma), mu - limit * sigma), mu + limit * sigma)
