"""Trains on a Dask cluster of three workers on this machine: python dask_train.py"""

import dask.dataframe as dd
import podium
import podium.dask
from distributed import Client, LocalCluster
from queries import fingerprint, table

if __name__ == "__main__":
    with LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        rows = dd.from_pandas(table(), npartitions=8)
        ranker = podium.dask.train(rows, podium.LambdaMART(trees=20), label="label", qid="qid", backend="engine")
        print("model", fingerprint(ranker))
        print(podium.dask.predict(rows, ranker).nlargest(5, "score").compute())
