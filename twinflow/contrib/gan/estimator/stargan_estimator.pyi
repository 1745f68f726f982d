# Made by `make stubs` from the table of the index.
from twinflow.contrib.gan.estimator.specs import SummaryType as SummaryType
from twinflow.contrib.gan.estimator.stargan_estimators import StarGANEstimator as StarGANEstimator

__all__ = [
"SummaryType", "StarGANEstimator"
]
