"""The model that all the other examples find, trained in one process: python one_process.py"""

import podium
from queries import FEATURES, fingerprint, table

rows = table()
print("model", fingerprint(podium.LambdaMART(trees=20).fit(rows[FEATURES], rows.label, qid=rows.qid)))
