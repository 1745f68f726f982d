# Made by `make stubs` from the table of the index.
from twinflow.contrib.factorization.initial_clusters import RANDOM_INIT as RANDOM_INIT
from twinflow.contrib.factorization.initial_clusters import KMEANS_PLUS_PLUS_INIT as KMEANS_PLUS_PLUS_INIT
from twinflow.contrib.factorization.kmeans import COSINE_DISTANCE as COSINE_DISTANCE
from twinflow.contrib.factorization.kmeans import SQUARED_EUCLIDEAN_DISTANCE as SQUARED_EUCLIDEAN_DISTANCE
from twinflow.contrib.factorization.kmeans import KMeans as KMeans
from twinflow.contrib.factorization.kmeans_clustering import KMeansClustering as KMeansClustering
from twinflow.contrib.factorization.wals_model import WALSModel as WALSModel
from twinflow.contrib.factorization.wals import WALSMatrixFactorization as WALSMatrixFactorization
from twinflow.contrib.factorization.gmm_algorithm import GmmAlgorithm as GmmAlgorithm
from twinflow.contrib.factorization.gmm_algorithm import gmm as gmm
from twinflow.contrib.factorization.gmm_estimator import GMM as GMM

__all__ = [
"RANDOM_INIT", "KMEANS_PLUS_PLUS_INIT", "COSINE_DISTANCE", "SQUARED_EUCLIDEAN_DISTANCE",
"KMeans", "KMeansClustering", "WALSModel", "WALSMatrixFactorization", "GmmAlgorithm",
"gmm", "GMM"
]
