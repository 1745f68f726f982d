# Made by `make stubs` from the table of the index.
from twinflow.contrib.bigtable.tables import BigtableClient as BigtableClient
from twinflow.contrib.bigtable.tables import BigtableTable as BigtableTable
from twinflow.contrib.cloud.bigquery import BigQueryReader as BigQueryReader
from twinflow.contrib.cloud.storage import BlockCacheParams as BlockCacheParams
from twinflow.contrib.cloud.storage import ConfigureGcsHook as ConfigureGcsHook
from twinflow.contrib.cloud.storage import configure_colab_session as configure_colab_session
from twinflow.contrib.cloud.storage import configure_gcs as configure_gcs

__all__ = [
"BigtableClient", "BigtableTable", "BigQueryReader", "BlockCacheParams",
"ConfigureGcsHook", "configure_colab_session", "configure_gcs"
]
