"""tf.contrib.cloud: BigQuery, Bigtable, and how gs:// paths are reached."""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
