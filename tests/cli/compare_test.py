"""compare: the folder, its tables, resuming after being killed, and refusals."""
import csv
import io
import json
import pathlib
import random
import re
import signal
import subprocess
import threading
import time
import unittest
import urllib.request

from support import PODIUM, CliTest, podium


def contents(folder):
    """Every file except resources.json."""
    folder = pathlib.Path(folder)
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*")
            if path.is_file() and path.name != "resources.json"}


class CompareTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.synth("data.txt", 40)
        self.arguments = ["compare", "--data", self.data, "--learners",
                          "linear,mart(trees=20),ranksvm,feature", "--folds", 4, "--measures",
                          "nDCG@5,AP", "--permutations", 1000]

    def letor_folder(self):
        folder = self.path("letor")
        self.run_ok(*self.arguments, "--write-folds", folder, "-o", self.path("split"), "--quiet")
        return folder

    def test_incompatible_options_are_refused(self):
        data = self.synth(queries=12)
        arguments = ["compare", "--data", data, "--learners", "feature"]
        self.assert_fails(2, "need --trials", *arguments, "--train-queries", 3)
        self.assert_fails(2, "cannot be combined", *arguments, "--trials", 3, "--folds", 3)
        self.assert_fails(2, "overwrite the data", *arguments, "--report", data)
        self.assert_fails(1, "every cell failed", "compare", "--data", data, "--learners", "feature:99", "--folds", 3)

    def test_table_and_folder(self):
        out = self.path("out")
        text = self.run_ok(*self.arguments, "-o", out, "--quiet")
        self.assertRegex(text, r"data: 40 queries, 480 documents, 8 features; 4 folds")
        self.assertRegex(text, r"linear +0\.\d{4}")
        self.assertIn("nDCG@5 against feature", text)
        results = json.loads((out / "results.json").read_text())
        self.assertEqual(results["format"], "podium-results")
        self.assertEqual(results["command"][:2], ["podium", "compare"])
        self.assertNotIn("-o", results["command"])
        self.assertTrue(results["complete"])
        resources = json.loads((out / "resources.json").read_text())
        self.assertEqual(len(resources["cells"]), 16)
        self.assertGreater(resources["cells"]["mart(trees=20).Fold1"]["peak_bytes"], 1 << 20)

    def test_per_query_is_what_eval_writes(self):
        folder, out = self.letor_folder(), self.path("out")
        arguments = list(self.arguments)
        arguments[2] = folder
        at = arguments.index("--folds")
        del arguments[at:at + 2]
        self.run_ok(*arguments, "-o", out, "--quiet")
        per_query = self.path("per-query.tsv")
        self.run_ok("eval", "--data", folder / "Fold2/test.txt", "--model",
                    out / "models/linear.Fold2.json", "--measures", "nDCG@5,AP", "--per-query",
                    per_query, "--quiet")
        theirs = [line.split("\t")[1:] for line in per_query.read_text().splitlines()]
        ours = [line.split("\t")[1:] for line in (out / "per-query/Fold2.tsv").read_text().splitlines()
                if line.startswith(("name\t", "linear\t"))]
        self.assertEqual(ours, theirs)
        # The written folds give the same values as the file that was split.
        results = [json.loads((self.path(name) / "results.json").read_text()) for name in ("out", "split")]
        for ours, theirs in zip(results[0]["systems"], results[1]["systems"]):
            self.assertEqual(ours["test"], theirs["test"])

    def test_the_command_of_a_cell_trains_it_again(self):
        folder, out = self.letor_folder(), self.path("out")
        self.run_ok("compare", "--data", folder, "--learners", "mart(trees=20),feature", "--tune", 3, "-o",
                    out, "--quiet")
        cell = json.loads((out / "results.json").read_text())["systems"][0]["cells"][1]
        words = cell["command"].split()
        self.assertEqual(words[:3], ["podium", "train", "mart"])
        again = self.run_json(*words[1:])
        self.assertEqual(again["measures"]["valid"]["nDCG@10"], cell["valid"]["nDCG@10"])
        self.assertEqual(again["options"], cell["options"])

    def test_the_command_of_a_cell_includes_reading_options(self):
        folder, out = self.letor_folder(), self.path("out")
        self.run_ok("compare", "--data", folder, "--learners", "mart(trees=20),linear(features=4-5)",
                    "--without", "1-3,7", "--absent", "missing", "-o", out, "--quiet")
        systems = json.loads((out / "results.json").read_text())["systems"]
        for system, features in zip(systems, ("4-6,8", "4-5")):
            words = system["cells"][1]["command"].split()
            self.assertEqual(words[words.index("--features") + 1], features)
            self.assertEqual(words[words.index("--absent") + 1], "missing")
            again = self.run_json(*words[1:])
            self.assertEqual(again["measures"]["valid"]["nDCG@10"], system["cells"][1]["valid"]["nDCG@10"])

    def test_the_command_of_a_split_names_the_folds_that_were_written(self):
        folder = self.letor_folder()
        cell = json.loads((self.path("split") / "results.json").read_text())["systems"][0]["cells"][1]
        words = cell["command"].split()
        self.assertEqual(words[words.index("--data") + 1], str(folder / "Fold2/train.txt"))
        again = self.run_json(*words[1:])
        self.assertEqual(again["measures"]["valid"]["nDCG@5"], cell["valid"]["nDCG@5"])

    def test_formats(self):
        out = self.path("out")
        rows = list(csv.reader(io.StringIO(
            self.run_ok(*self.arguments, "-o", out, "--format", "csv", "--quiet"))))
        self.assertEqual(rows[0][0], "system")
        self.assertEqual(len(rows), 5)
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertIn("baseline", rows[0])
        self.assertEqual(len(set(rows[0])), len(rows[0]))
        self.assertIn("best", {row[2] for row in rows})
        self.assertNotIn("–", {cell for row in rows for cell in row})
        table = [dict(zip(rows[0], row)) for row in rows[1:]]
        baseline = next(row for row in table if row["system"] == row["baseline"])
        self.assertEqual(baseline["nDCG@5 95 % low"], "")
        other = next(row for row in table if row["system"] != row["baseline"])
        low, mean, high = (float(other[f"nDCG@5 {name}"]) for name in ("95 % low", "mean", "95 % high"))
        self.assertTrue(low <= mean <= high)
        said = podium(*self.arguments, "-o", out, "--format", "csv").stderr
        self.assertNotIn("**", said)
        self.assertNotIn("marked", said)
        self.assertIn("| linear |", self.run_ok(*self.arguments, "-o", out, "--format", "markdown", "--quiet"))
        self.assertIn("\\toprule", self.run_ok(*self.arguments, "-o", out, "--format", "latex", "--quiet"))
        summary = self.run_json(*self.arguments, "-o", out)
        self.assertEqual(summary["systems"][0]["name"], "linear")
        self.assertNotIn("per_query", summary["systems"][0])

    def test_killed_at_random_moments_it_ends_the_same(self):
        arguments = ["compare", "--data", self.synth("larger.txt", 120), "--learners",
                     "mart(trees=60),coordinate-ascent,listnet,ranksvm,feature", "--tune", 3,
                     "--permutations", 1000, "--quiet"]
        whole, part = self.path("whole"), self.path("part")
        began = time.monotonic()
        self.run_ok(*arguments, "-o", whole)
        lasts = time.monotonic() - began
        moments = random.Random(1)
        killed = 0
        for _ in range(10):
            process = subprocess.Popen([PODIUM, *map(str, arguments), "-o", str(part)],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=moments.uniform(0, 0.35) * lasts)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                killed += 1
            process.wait()
        self.assertGreater(killed, 0)
        self.run_ok(*arguments, "-o", part)
        self.assertEqual(contents(part), contents(whole))

    def test_an_interruption_keeps_finished_cells(self):
        out = self.path("out")
        process = subprocess.Popen(
            [PODIUM, "compare", "--data", str(self.data), "--learners", "linear,directrank,feature", "-o",
             str(out), "--threads", "1", "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not list(out.glob("cells/*.json")):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        if process.returncode == 0:
            self.skipTest("it was faster than the signal")
        self.assertEqual(process.returncode, 130)
        self.assertRegex(errors, r"stopped: \d+ of 15 cells finished; run the same command again")
        self.assertFalse(json.loads((out / "results.json").read_text())["complete"])
        self.assertFalse(list(out.rglob("*.tmp")))

    @staticmethod
    def has_report():
        return "report yes" in podium("--version").stdout

    def test_report(self):
        page, out = self.path("report.html"), self.path("out")
        if not self.has_report():
            self.assert_fails(2, "this build has no report", *self.arguments, "-o", out, "--report", page)
            self.assertFalse(out.exists())
            self.skipTest("the page was not built")
        self.run_ok(*self.arguments, "-o", out, "--report", page, "--quiet")
        self.assertIn("podium-results", page.read_text())

    def test_a_report_that_cannot_be_written_is_reported_before_training(self):
        if not self.has_report():
            self.skipTest("the page was not built")
        out = self.path("out")
        self.assert_fails(1, "cannot be written", *self.arguments, "-o", out, "--report", self.path("no/r.html"))
        self.assertFalse(out.exists())

    def test_watch_shows_the_end_until_stopped(self):
        if not self.has_report():
            self.skipTest("the page was not built")
        process = subprocess.Popen([PODIUM, *map(str, self.arguments), "--watch", "0"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        # The server answers until it is stopped: if the line never comes, the end of stderr must.
        late = threading.Timer(120, process.kill)
        self.addCleanup(late.cancel)
        late.start()
        lines = []
        for line in process.stderr:
            lines.append(line)
            if found := re.search(r"complete; shown at (http\S+) until Ctrl-C", line):
                break
        else:
            self.fail(f"no address was shown: {''.join(lines)}")
        with urllib.request.urlopen(found[1] + "results.json", timeout=30) as answer:
            self.assertTrue(json.load(answer)["complete"])
            self.assertEqual(answer.headers["X-Frame-Options"], "DENY")
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn("nDCG@5 against feature", text)

    def test_a_failing_learner_is_shown_and_the_rest_continues(self):
        out = self.path("out")
        text = self.run_ok("compare", "--data", self.data, "--learners", "linear,feature#99", "-o", out, "--quiet")
        self.assertRegex(text, r"feature#99 failed on Fold3: .*the data has 8 features")
        self.assertRegex(text, r"linear +0\.\d{4}")
        self.assert_fails(1, "every cell failed", "compare", "--data", self.data, "--learners", "feature#99")

    def test_overlapping_folds(self):
        folder = self.letor_folder()
        test = folder / "Fold2/test.txt"
        first = (folder / "Fold2/train.txt").read_text().splitlines()[0]
        qid = first.split()[1].split(":")[1]
        test.write_text(test.read_text() + first + "\n")
        self.assert_fails(1, rf"Fold2/test.txt: query {qid} is in .*Fold2/train.txt too", "compare", "--data",
                          folder, "--learners", "linear")

    def test_refusals(self):
        out = self.path("out")
        self.run_ok(*self.arguments, "-o", out, "--quiet")
        self.assert_fails(2, "holds another comparison: its seed is 1, but here it is 2", *self.arguments, "-o", out,
                          "--seed", 2)
        self.assert_fails(2, "did you mean lambdamart", "compare", "--data", self.data, "--learners", "lamdamart")
        self.assert_fails(2, "not among --learners", *self.arguments, "--baseline", "nobody")
        self.assert_fails(2, "max-t is a randomisation test", *self.arguments, "--test", "t", "--correction",
                          "max-t")
        self.assert_fails(2, "not a size", *self.arguments, "--memory", "much")
        self.assert_fails(2, "leave none of 40 queries", "compare", "--data", self.data, "--learners", "linear", "--trials", 5, "--train-queries", 35,
                          "--valid-queries", 5)
        self.assert_fails(2, "no feature", "compare", "--data", self.data, "--learners", "linear", "--without",
                          "1-8")
        self.assert_fails(1, "there is no train file", "compare", "--data", self.folder, "--learners", "linear")

    def test_scores_from_elsewhere(self):
        model, plain = self.path("m.json"), self.path("s.txt")
        self.run_ok("train", "linear", "--data", self.data, "--model", model)
        self.run_ok("score", "--model", model, "--data", self.data, "-o", plain)
        qids = [line.split()[1].split(":")[1] for line in pathlib.Path(self.data).read_text().splitlines()]
        theirs = self.path("theirs.tsv", "qid\tscore\n" + "".join(
            f"{qid}\t{score}\n" for qid, score in zip(qids, plain.read_text().split(), strict=True)))
        tables = [self.run_json("compare", "--data", self.data, "--folds", 3, *more)["systems"] for more in (
            ("--learners", "feature", "--scores", f"theirs={theirs}"), ("--learners", f"feature,theirs=scores:{theirs}"))]
        self.assertEqual([system["name"] for system in tables[0]], ["feature", "theirs"])
        self.assertEqual(tables[0][1]["test"], tables[1][1]["test"])
        alone = self.run_json("compare", "--data", self.data, "--folds", 3, "--scores", f"theirs={theirs}")["systems"]
        self.assertEqual(alone[0]["test"], tables[0][1]["test"])
        written = self.path("written.tsv")
        self.run_ok("score", "--model", model, "--data", self.data, "--format", "table", "-o", written)
        same = self.run_json("compare", "--data", self.data, "--folds", 3, "--scores", f"theirs={written}")["systems"]
        self.assertEqual(same[0]["test"], alone[0]["test"])
        self.assert_fails(1, "s.txt:1: the first line of a file of scores names its columns: .*`podium score` writes this by --format table",
                          "compare", "--data", self.data, "--scores", f"theirs={plain}")
        self.assert_fails(2, "--scores x.tsv: write NAME=FILE", "compare", "--data", self.data, "--scores", "x.tsv")
        self.assert_fails(2, "--learners is required", "compare", "--data", self.data)

    def test_options_can_come_from_a_file(self):
        config = self.path("c.toml", '[compare]\nlearners = "linear,feature"\nfolds = 3\n')
        summary = self.run_json("compare", "--data", self.data, "--config", config)
        self.assertEqual([s["name"] for s in summary["systems"]], ["linear", "feature"])
        self.assertEqual(len(summary["design"]["folds"]), 3)


class TuneTest(CliTest):
    def setUp(self):
        super().setUp()
        self.train, self.valid = self.synth("train.txt", 60, 1), self.synth("valid.txt", 30, 2)

    def test_the_printed_command_trains_the_best(self):
        text = self.run_ok("tune", "mart", "--data", self.train, "--valid", self.valid, "--trials", 5, "--trees",
                           20, "--quiet")
        words = text.splitlines()[-1].split()
        self.assertEqual(words[:5], ["podium", "train", "mart", "--trees", "20"])
        self.assertEqual(len([line for line in text.splitlines() if line[:1].isdigit()]), 5)
        tuned = self.run_json("tune", "mart", "--data", self.train, "--valid", self.valid, "--trials", 5,
                              "--trees", 20)
        self.assertEqual(tuned["command"].split(), words)
        best = max(trial["value"] for trial in tuned["trials"])
        again = self.run_json(*words[1:])
        self.assertEqual(again["measures"]["valid"]["nDCG@10"], best)
        self.assertGreaterEqual(best, tuned["trials"][0]["value"])
        self.assertEqual(tuned["trials"][0]["options"], {})

    def test_threads_change_nothing_and_the_model_is_saved(self):
        runs = []
        for threads in (1, 3):
            model = self.path(f"model{threads}.json")
            runs.append(self.run_json("tune", "mart", "--data", self.train, "--valid", self.valid, "--trials", 6,
                                      "--search", "successive-halving", "--model", model, "--threads", threads))
            runs[-1].pop("command")
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(self.path("model1.json").read_bytes(), self.path("model3.json").read_bytes())
        value = self.run_json("eval", "--data", self.valid, "--model", self.path("model1.json"), "--measures",
                              "nDCG@10")["results"][0]["measures"]["nDCG@10"]
        self.assertEqual(value, runs[0]["measures"]["valid"]["nDCG@10"])

    def test_learners_that_choose_by_themselves(self):
        text = self.run_ok("tune", "ranksvm", "--data", self.train, "--valid", self.valid, "--quiet")
        self.assertIn("it chooses its options on the validation data itself", text)
        self.assertRegex(text, r"chosen C\t")

    def test_one_trial_is_a_search_too(self):
        text = self.run_ok("tune", "mart", "--data", self.train, "--valid", self.valid, "--trials", 1, "--trees", 5,
                           "--quiet")
        self.assertNotIn("nothing to tune", text)
        self.assertEqual(len([line for line in text.splitlines() if line[:1].isdigit()]), 1)

    def test_the_command_includes_reading_options(self):
        tuned = self.run_json("tune", "mart", "--data", self.train, "--valid", self.valid, "--trials", 1,
                              "--trees", 5, "--absent", "missing")
        self.assertIn("--absent missing", tuned["command"])

    def test_learners_show_their_ranges(self):
        self.assertIn("tuned: 4 to 64, log scale", self.run_ok("learners", "mart"))


if __name__ == "__main__":
    unittest.main()
