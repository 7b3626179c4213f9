"""TREC-like runs from LETOR sets: for recipes that combine "submissions", which LETOR does not have.

A submission is a ranking system of its own: a learner that sees all features, or those of one field, or a single retrieval function. Each is
trained on the queries of the fifth fold's test part and writes a run for fifty queries of the other four parts, so no system saw a query that it is
judged on. A run has each query's best documents only, as TREC's submissions have."""
import concurrent.futures
import os
import pathlib

from five_fold import data_folder, podium

# LETOR 3.0's OHSUMED: features 1-15 are of the title, 16-30 of the abstract, 31-45 of both; 11 of 15 is BM25, 14 a language model.
OHSUMED = {
    "bm25_both": "feature --features 41", "bm25_title": "feature --features 11", "bm25_abstract": "feature --features 26",
    "lm_both": "feature --features 44", "ranksvm_title": "ranksvm --features 1-15", "ranksvm_abstract": "ranksvm --features 16-30",
    "ranksvm_all": "ranksvm", "listnet_both": "listnet --features 31-45", "lambdamart_all": "lambdamart --trees 50 --leaves 31",
    "rankboost_all": "rankboost --rounds 50",
}
# LETOR 4.0: of each five features the first is of the body, the third of the title, the fifth of the whole document; 21-25 are BM25, 31-35 a language
# model (Dirichlet), 41-46 are about links and addresses.
LETOR4 = {
    "bm25_document": "feature --features 25", "bm25_body": "feature --features 21", "bm25_title": "feature --features 23",
    "lm_document": "feature --features 35", "ranksvm_body": "ranksvm --features 1,6,11,16,21,26,31,36",
    "ranksvm_title": "ranksvm --features 3,8,13,18,23,28,33,38", "ranksvm_all": "ranksvm", "listnet_document": "listnet --features 5,10,15,20,25,30,35,40-46",
    "lambdamart_all": "lambdamart --trees 50 --leaves 31", "rankboost_all": "rankboost --rounds 50",
}
SYSTEMS = {"OHSUMED": OHSUMED, "MQ2007": LETOR4, "MQ2008": LETOR4}


def queries_of(path):
    """{qid: lines} in the order of the file."""
    queries = {}
    for line in open(path, encoding="utf-8"):
        queries.setdefault(line.split(None, 2)[1].removeprefix("qid:"), []).append(line)
    return queries


def fifty_queries(name):
    """Fifty queries of the first four folds' test parts, evenly taken from those that have good and bad documents."""
    folder = data_folder([name]) / name
    useful = [lines for k in range(1, 5) for lines in queries_of(folder / f"Fold{k}/test.txt").values()
              if {line[0] == "0" for line in lines} == {True, False}]
    return [useful[i * len(useful) // 50] for i in range(50)]


def best_documents(run, depth):
    """The run's best documents of each topic: by score, ties by descending id, as trec_eval ranks."""
    topics = {}
    for line in open(run, encoding="utf-8"):
        topics.setdefault(line.split(None, 1)[0], []).append(line.split())
    for lines in topics.values():
        lines.sort(key=lambda words: (float(words[4]), words[2]), reverse=True)
        yield from (" ".join([*words[:3], str(rank), *words[4:]]) + "\n" for rank, words in enumerate(lines[:depth], 1))


def write_run(system, train, documents, folder, depth):
    """Trains one system and writes FOLDER/NAME.run."""
    name, learner = system
    model, run = folder / f"{name}.json", folder / f"{name}.run"
    podium("train", *learner.split(), "--data", train, "--model", model, "--measure", "AP")
    podium("score", "--model", model, "--data", documents, "--format", "run", "-o", folder / f"{name}.all")
    run.write_text("".join(best_documents(folder / f"{name}.all", depth)))
    return run


def write_runs(set_name, folder, depth, count=10):
    """Writes the runs of the first `count` systems of a set (OHSUMED, MQ2007 or MQ2008), `depth` documents per topic, and the judgements of
    all documents of its fifty topics. Returns the paths: [runs], qrels."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    train = data_folder([set_name]) / set_name / "Fold5/test.txt"
    documents, qrels = folder / "documents.txt", folder / "judgements.qrels"
    topics = fifty_queries(set_name)
    documents.write_text("".join(line for lines in topics for line in lines))
    judged = []
    for qid, lines in queries_of(documents).items():
        for line in lines:
            docid = line.split("docid =", 1)[1].split()[0]
            judged.append(f"{qid} 0 {docid} {line.split(None, 1)[0]}\n")
    qrels.write_text("".join(judged))
    systems = list(SYSTEMS[set_name].items())[:count]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda system: write_run(system, train, documents, folder, depth), systems)), qrels
