# Made by `make stubs` from the table of the index.
from typing import Any
def BigQueryReader(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (cloud stores). Paths such as gs://bucket/a are read and written: pip install twinflow[remote-files].
    """
def BigtableClient(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (cloud stores). Paths such as gs://bucket/a are read and written: pip install twinflow[remote-files].
    """
def BigtableTable(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (cloud stores). Paths such as gs://bucket/a are read and written: pip install twinflow[remote-files].
    """
def BlockCacheParams(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (cloud stores). Paths such as gs://bucket/a are read and written: pip install twinflow[remote-files].
    """
def ConfigureGcsHook(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (cloud stores). Paths such as gs://bucket/a are read and written: pip install twinflow[remote-files].
    """
def configure_colab_session(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (cloud stores). Paths such as gs://bucket/a are read and written: pip install twinflow[remote-files].
    """
def configure_gcs(*args: Any, **kwargs: Any) -> Any:
    r"""Refused (cloud stores). Paths such as gs://bucket/a are read and written: pip install twinflow[remote-files].
    """

__all__ = [
"BigQueryReader", "BigtableClient", "BigtableTable", "BlockCacheParams",
"ConfigureGcsHook", "configure_colab_session", "configure_gcs"
]
