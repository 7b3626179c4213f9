"""Queries whose best ranking needs sets of categories: a document's utility is the sum of an effect of each of its
categories, drawn at random, so that no order of codes or names helps, of two numbers, and of noise. Grades are 0 to 4.

    python set_data.py FILE.csv [--seed N] [--queries N] [--docs N] [--columns N] [--values N] [--world N]

The effects belong to --world: training and test data share it and differ in --seed. A fiftieth of the values is missing.
"""
import argparse

import numpy as np

GRADES = (0.5, 1.2, 1.9, 2.6)  # of the utility, in standard deviations above the middle


def make(seed, queries, docs, columns, values, world=0, numbers=2, noise=0.5):
    """Labels, query numbers, a matrix of numbers, and a matrix of codes, -1 where missing."""
    draw, law = np.random.default_rng(seed + 1), np.random.default_rng(world + 1000003)
    effects = law.normal(size=(columns, values))
    popularity = 1 / np.arange(1, values + 1) ** 0.5
    rows = queries * docs
    codes = np.stack([draw.choice(values, size=rows, p=popularity / popularity.sum()) for _ in range(columns)], axis=1)
    x = draw.uniform(size=(rows, numbers))
    utility = sum(effects[c, codes[:, c]] for c in range(columns)) + 2 * x.sum(axis=1) - numbers
    utility = utility / np.sqrt(columns + numbers / 3) + noise * draw.normal(size=rows)
    labels = np.digitize(utility, GRADES)
    codes[draw.uniform(size=codes.shape) < 0.02] = -1
    return labels, np.repeat(np.arange(queries), docs), x, codes


def write(path, labels, qid, x, codes):
    names = [f"n{i}" for i in range(x.shape[1])] + [f"c{i}" for i in range(codes.shape[1])]
    with open(path, "w") as file:
        file.write("label,qid," + ",".join(names) + "\n")
        for i in range(len(labels)):
            values = [f"{v:.5g}" for v in x[i]] + ["" if c < 0 else f"v{c}" for c in codes[i]]
            file.write(f"{labels[i]},{qid[i]},{','.join(values)}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    for name, value in (("seed", 1), ("queries", 1000), ("docs", 20), ("columns", 3), ("values", 100), ("world", 0)):
        parser.add_argument("--" + name, type=int, default=value)
    given = vars(parser.parse_args())
    write(given.pop("file"), *make(**given))
