# Made by `make stubs` from the table of the index.
from twinflow.contrib.predictor.predictor_factories import from_contrib_estimator as from_contrib_estimator
from twinflow.contrib.predictor.predictor_factories import from_estimator as from_estimator
from twinflow.contrib.predictor.predictor_factories import from_saved_model as from_saved_model

__all__ = [
"from_contrib_estimator", "from_estimator", "from_saved_model"
]
