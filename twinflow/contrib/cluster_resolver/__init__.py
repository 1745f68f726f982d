"""tf.contrib.cluster_resolver: where the tasks of a cluster are.

given.py   clusters that are told, and unions of clusters
google.py  clusters that Google's interfaces are asked for
"""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
