"""Trains on three Ray actors on this machine: python ray_train.py"""

import podium
import podium.ray
import ray
from queries import fingerprint, table

ray.init(num_cpus=4, include_dashboard=False)
rows = table()
dataset = ray.data.from_pandas([rows.iloc[at:at + 1000] for at in range(0, len(rows), 1000)])
ranker = podium.ray.train(dataset, podium.LambdaMART(trees=20), label="label", qid="qid", num_workers=3, backend="engine")
print("model", fingerprint(ranker))
podium.ray.predict(dataset, ranker).show(5)
