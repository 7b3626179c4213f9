"""From a data frame to a service: AutoRanker finds the best forests within a budget, the report says how good they are,
ONNX and LightGBM files take them elsewhere, and `podium serve` ranks documents over HTTP.

usage: examples/python/frame_to_service.py [FOLDER]      needs the package podium, pandas and numpy
"""

import json
import pathlib
import re
import subprocess
import sys
import urllib.request

import numpy
import pandas
import podium

FEATURES = ["price", "stars", "title_match", "sales"]


def shop(queries, seed):
    """A made-up log of a shop: four features, and how well each product answered the query, from 0 to 3."""
    random = numpy.random.default_rng(seed)
    table = pandas.DataFrame({"query": numpy.repeat([f"query {i}" for i in range(queries)], 12)})
    table["price"] = random.lognormal(3, 1, len(table)).round(2)
    table["stars"] = random.uniform(1, 5, len(table)).round(1)
    table["title_match"] = random.uniform(0, 1, len(table))
    table["sales"] = random.poisson(20, len(table))
    liking = 3 * table["title_match"] + 0.5 * table["stars"] - 0.01 * table["price"] + random.normal(0, 0.5, len(table))
    table["grade"] = numpy.digitize(liking, [2, 3, 4])
    return table


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    train, new = shop(80, seed=1), shop(20, seed=2)

    # Forests only, so that their blend is one forest, which LightGBM can read. For real data: seconds=600.
    ranker = podium.AutoRanker(trials=4, learners=["lambdamart", "mart"], folds=3)
    ranker.fit(train[FEATURES], train["grade"], qid=train["query"])
    print(ranker.estimate_)
    print(ranker.leaderboard_.to_frame()[["learner", "value", "weight"]])
    print("nDCG@10 on new queries:", round(ranker.score(new[FEATURES], new["grade"], qid=new["query"]), 3))

    ranker.report(folder / "report.html")
    check = podium.Dataset(new[FEATURES], new["grade"], new["query"])
    for name, form in (("ranker.onnx", "onnx"), ("ranker.txt", "lightgbm")):
        ranker.export(folder / name, form, verify=check)  # scores like the ranker, or an error
    ranker.save(folder / "ranker.json")

    server = subprocess.Popen([sys.executable, "-m", "podium", "serve", "--model", folder / "ranker.json", "--port", "0"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        address = next(found[0] for line in server.stdout if (found := re.search(r"http://[\d.:]+", line)))
        asked = new[new["query"] == "query 0"]
        documents = [{"id": str(i), "features": row} for i, row in asked[FEATURES].to_dict("index").items()]
        request = urllib.request.Request(f"{address}/v1/rank", json.dumps({"documents": documents}).encode(),
                                         {"Content-Type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            ranked = json.load(answer)
    finally:
        server.terminate()
        server.wait()
    print("best product over HTTP:", ranked["documents"][0])
    scores = ranker.predict(asked[FEATURES])
    assert int(ranked["documents"][0]["id"]) == asked.index[scores.argmax()]


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "frame-to-service"))
