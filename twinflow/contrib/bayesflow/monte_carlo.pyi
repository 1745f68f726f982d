# Made by `make stubs` from the table of the index.
from twinflow.contrib.bayesflow.expectations import expectation as expectation
from twinflow.contrib.bayesflow.expectations import expectation_importance_sampler as expectation_importance_sampler
from twinflow.contrib.bayesflow.expectations import expectation_importance_sampler_logspace as expectation_importance_sampler_logspace

__all__ = [
"expectation", "expectation_importance_sampler",
"expectation_importance_sampler_logspace"
]
