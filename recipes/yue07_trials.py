"""The protocol of [Yue07]'s tables: trials with 10 queries to train on and 5 to choose on, SVM-map against everything else, Wilcoxon's test."""
import json
import subprocess

from five_fold import PODIUM


def compare(folder, data, learners, trials=50):
    """The results of a comparison, which is kept in the folder."""
    subprocess.run([PODIUM, "compare", "--data", data, "--learners", ",".join(learners), "--measures", "AP", "--trials", str(trials),
                    "--train-queries", "10", "--valid-queries", "5", "--baseline", "svm-map", "--test", "wilcoxon", "--quiet",
                    "-o", folder], check=True, stdout=subprocess.DEVNULL)
    return json.loads((folder / "results.json").read_text())


def record(results, name):
    """Wins and losses of svm-map against a system, with [Yue07]'s stars."""
    for pair in results["statistics"]["measures"]["AP"]["pairs"]:
        if {pair["a"], pair["b"]} == {"svm-map", name}:
            wins, losses = (pair["wins"], pair["losses"])[::1 if pair["a"] == "svm-map" else -1]
            p = pair["p"]["wilcoxon"]
            return f"{wins}/{losses}" + (" **" if p is not None and p <= 0.05 else "")
    raise KeyError(name)
