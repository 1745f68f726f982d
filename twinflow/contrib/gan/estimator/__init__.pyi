# Made by `make stubs` from the table of the index.
from twinflow.contrib.gan.estimator import gan_estimator as gan_estimator
from twinflow.contrib.gan.estimator import head as head
from twinflow.contrib.gan.estimator import stargan_estimator as stargan_estimator
from twinflow.contrib.gan.estimator.heads import GANHead as GANHead
from twinflow.contrib.gan.estimator.heads import gan_head as gan_head
from twinflow.contrib.gan.estimator.estimators import GANEstimator as GANEstimator
from twinflow.contrib.gan.estimator.specs import SummaryType as SummaryType
from twinflow.contrib.gan.estimator.stargan_estimators import StarGANEstimator as StarGANEstimator

__all__ = [
"gan_estimator", "head", "stargan_estimator", "GANHead", "gan_head", "GANEstimator",
"SummaryType", "StarGANEstimator"
]
