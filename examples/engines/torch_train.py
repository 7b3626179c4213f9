"""Trains in the processes of torchrun: torchrun --nproc-per-node 3 torch_train.py [FOLDER]

FOLDER, on storage that all workers share, is for the model and for the checkpoint: a job that is started again resumes there."""

import pathlib
import sys

import podium
from podium.distributed import TorchWorkers
from queries import FEATURES, fingerprint, table

folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
with TorchWorkers() as workers:
    rows = table()
    rows = rows[rows.qid % workers.size == workers.rank]  # in real life, each process reads its own files
    ranker = podium.LambdaMART(trees=20, threads=1).fit(rows[FEATURES], rows.label, qid=rows.qid, workers=workers,
                                                        checkpoint=folder and folder / "model.checkpoint", checkpoint_seconds=60)
    if workers.rank == 0:
        print("model", fingerprint(ranker))
        if folder:
            ranker.model_.save(folder / "model.json")
