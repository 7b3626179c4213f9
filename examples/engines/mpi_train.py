"""Trains in the processes of mpirun or srun: mpirun -n 3 python -m mpi4py mpi_train.py"""

import podium
from podium.distributed import MPIWorkers
from queries import FEATURES, fingerprint, table

workers = MPIWorkers()
rows = table()
rows = rows[rows.qid % workers.size == workers.rank]  # in real life, each process reads its own files
ranker = podium.LambdaMART(trees=20, threads=1).fit(rows[FEATURES], rows.label, qid=rows.qid, workers=workers)
if workers.rank == 0:
    print("model", fingerprint(ranker))
