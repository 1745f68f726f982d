# Made by `make stubs` from the table of the index.
from twinflow.contrib.gan.estimator.estimators import GANEstimator as GANEstimator
from twinflow.contrib.gan.estimator.specs import SummaryType as SummaryType

__all__ = [
"GANEstimator", "SummaryType"
]
