"""A user's first model."""
import numpy as np

import podium

random = np.random.default_rng(1)
X = random.normal(size=(6000, 10)).astype(np.float32)
qid = np.repeat(np.arange(300), 20)
y = np.digitize(X[:, 0] + np.maximum(X[:, 1], 0) + random.normal(size=6000), [1, 2, 3])
ranker = podium.LambdaMART(trees=100, leaves=8).fit(X, y, qid=qid)
value = podium.evaluate(y, ranker.predict(X), qid, measures=["nDCG@10"])
print(value)
