"""Training on several workers: processes of a cluster, each with its own queries.

>>> workers = podium.distributed.TorchWorkers()              # started by torchrun
>>> ranker = podium.LambdaMART().fit(X, y, qid=qid, workers=workers)

Every worker brings its own queries, and every worker gets the same model: byte for byte that of a single
process with all the data. ``podium.spark``, ``podium.dask`` and ``podium.ray`` do the rest for tables of these
engines.
"""

from podium.distributed._mpi import MPIWorkers
from podium.distributed._spark import SparkWorkers
from podium.distributed._threads import ThreadWorkers, run_in_threads
from podium.distributed._torch import TorchWorkers
from podium.distributed._workers import WorkerError, Workers

__all__ = ["MPIWorkers", "SparkWorkers", "ThreadWorkers", "TorchWorkers", "WorkerError", "Workers", "run_in_threads"]
