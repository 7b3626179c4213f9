"""Trains in the processes of torchrun: torchrun --nproc-per-node 3 torch_train.py"""

import podium
from podium.distributed import TorchWorkers
from queries import FEATURES, fingerprint, table

workers = TorchWorkers()
rows = table()
rows = rows[rows.qid % workers.size == workers.rank]  # in real life, each process reads its own files
ranker = podium.LambdaMART(trees=20, threads=1).fit(rows[FEATURES], rows.label, qid=rows.qid, workers=workers)
if workers.rank == 0:
    print("model", fingerprint(ranker))
