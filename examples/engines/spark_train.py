"""Trains on a Spark cluster of three executors on this machine: python spark_train.py [MASTER]"""

import os
import sys

import podium
import podium.spark
import pyspark
from pyspark.sql import SparkSession
from queries import fingerprint, table

os.environ.setdefault("SPARK_HOME", os.path.dirname(pyspark.__file__))
os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
master = sys.argv[1] if len(sys.argv) > 1 else "local-cluster[3,1,1024]"
spark = SparkSession.builder.master(master).config("spark.ui.enabled", "false").config(
    "spark.ui.showConsoleProgress", "false").config("spark.sql.shuffle.partitions", "3").getOrCreate()
df = spark.createDataFrame(table())
ranker = podium.spark.train(df, podium.LambdaMART(trees=20), label="label", qid="qid", num_workers=3, backend="engine")
print("model", fingerprint(ranker))
podium.spark.predict(df, ranker).orderBy("qid", "score", ascending=[True, False]).show(5)
spark.stop()
