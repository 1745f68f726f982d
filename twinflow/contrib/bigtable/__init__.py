"""tf.contrib.bigtable: tables of Google's Cloud Bigtable as datasets."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
