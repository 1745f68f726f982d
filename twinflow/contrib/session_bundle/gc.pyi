# Made by `make stubs` from the table of the index.
from twinflow.estimator.old_exports import Path as Path
from twinflow.estimator.old_exports import paths_of as get_paths
from twinflow.estimator.old_exports import largest_export_versions as largest_export_versions
from twinflow.estimator.old_exports import mod_export_version as mod_export_version
from twinflow.estimator.old_exports import negation as negation
from twinflow.estimator.old_exports import one_of_every_n_export_versions as one_of_every_n_export_versions
from twinflow.estimator.old_exports import union as union

__all__ = [
"Path", "get_paths", "largest_export_versions", "mod_export_version", "negation",
"one_of_every_n_export_versions", "union"
]
