# Made by `make stubs` from the table of the index.
from twinflow.contrib.kernel_methods.kernel_estimators import KernelLinearClassifier as KernelLinearClassifier
from twinflow.contrib.kernel_methods.losses import sparse_multiclass_hinge_loss as sparse_multiclass_hinge_loss
from twinflow.contrib.kernel_methods.mappers import RandomFourierFeatureMapper as RandomFourierFeatureMapper

__all__ = [
"KernelLinearClassifier", "sparse_multiclass_hinge_loss", "RandomFourierFeatureMapper"
]
