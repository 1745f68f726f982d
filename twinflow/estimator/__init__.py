"""tf.estimator: training, evaluation and prediction around a model function."""

from twinflow.base.lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    """
twinflow.estimator.estimator: Estimator
twinflow.estimator.export: export=*
twinflow.estimator.exporters: BestExporter Exporter FinalExporter LatestExporter
twinflow.estimator.inputs: inputs=*
twinflow.estimator.model_fn: EstimatorSpec ModeKeys
twinflow.estimator.run_config: RunConfig
twinflow.estimator.warm_start: WarmStartSettings
twinflow.checkpoint.vocabularies: VocabInfo
twinflow.estimator.training: EvalSpec TrainSpec train_and_evaluate
""",
)
