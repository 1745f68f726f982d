"""Rules where XLA needs another form than the kernel: arrays."""

rules: dict = {}
