"""tf.distribute: one program on several devices, by the names of TensorFlow 1.14.

They are those of tf.contrib.distribute by other words: what 1.12 calls a tower is a
replica here, `tower_id` is `replica_id_in_sync_group`, `call_for_each_tower` is
`experimental_run_v2`.
"""

from twinflow.base.public_index import attach

__getattr__, __dir__, __all__ = attach(__name__)
