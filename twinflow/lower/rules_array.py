"""Rules where XLA needs another form than the kernel: arrays and special functions."""

from jax import lax

rules: dict = {"Erf": lax.erf, "Erfc": lax.erfc}
