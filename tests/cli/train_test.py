"""train, score, eval, inspect: one model from end to end."""
import json
import re
import unittest

from support import CliTest, podium


class TrainTest(CliTest):
    def setUp(self):
        super().setUp()
        self.train = self.synth("train.txt", 60, 1)
        self.valid = self.synth("valid.txt", 30, 2)
        self.test = self.synth("test.txt", 60, 3)

    def test_one_model_end_to_end(self):
        model = self.path("linear.json")
        summary = self.run_json("train", "linear", "--data", self.train, "--valid", self.valid,
                                "--model", model)
        self.assertEqual(summary["learner"], "linear")
        self.assertEqual(summary["termination"], "converged")
        self.assertEqual(summary["queries"], {"used": 60, "skipped": 0})
        self.assertGreater(summary["chosen"]["l2"], 0)
        self.assertIn("nDCG@10", summary["measures"]["valid"])
        self.assertEqual(set(summary["phases"]), {"read", "fit"})
        self.assertEqual(summary["phases"]["fit"], summary["seconds"])

        saved = json.loads(model.read_text())
        self.assertEqual(saved["format"], "podium-model")
        self.assertEqual(saved["loss"], "squared")
        self.assertEqual(len(saved["model"]["weights"]), len(saved["features"]))

        scores = self.path("scores.txt")
        self.run_ok("score", "--model", model, "--data", self.test, "-o", scores)
        self.assertEqual(len(scores.read_text().splitlines()), 60 * 12)
        by_model = self.run_json("eval", "--data", self.test, "--model", model)
        by_scores = self.run_json("eval", "--data", self.test, "--scores", scores)
        self.assertEqual(by_model["results"][0]["measures"], by_scores["results"][0]["measures"])
        self.assertEqual(by_model["results"][0]["name"], "linear")

        self.assertIn("trained by linear", self.run_ok("inspect", model))

    def test_threads_change_no_bit(self):
        files = []
        for threads in (1, 2, 3):
            model = self.path(f"model{threads}.json")
            self.run_ok("train", "linear", "--data", self.train, "--valid", self.valid, "--model",
                        model, "--threads", threads, "--quiet")
            files.append(model.read_bytes())
        self.assertEqual(files[0], files[1])
        self.assertEqual(files[0], files[2])

    def test_normalization_is_applied_again_when_scoring(self):
        model = self.path("model.json")
        self.run_ok("train", "linear", "--data", self.train, "--model", model, "--normalize",
                    "query-minmax", "--features", "1-5", "--quiet")
        prepared = self.path("prepared.txt")
        self.run_ok("prepare", self.test, "--normalize", "query-minmax", "--features", "1-5", "-o",
                    prepared, "--quiet")
        plain = self.path("plain.json")
        saved = json.loads(model.read_text())
        self.assertEqual(len(saved["features"]), 5)
        saved["normalization"]["normalize"] = "none"
        plain.write_text(json.dumps(saved))
        first = [float(x) for x in self.run_ok("score", "--model", model, "--data", self.test, "--quiet").split()]
        second = [float(x) for x in self.run_ok("score", "--model", plain, "--data", prepared, "--quiet").split()]
        self.assertEqual(len(first), len(second))
        for a, b in zip(first, second):
            self.assertAlmostEqual(a, b, places=6)

    def test_a_run_is_ranked(self):
        model = self.path("linear.json")
        self.run_ok("train", "linear", "--data", self.train, "--model", model, "--quiet")
        lines = self.run_ok("score", "--model", model, "--data", self.test, "--format", "run",
                            "--quiet").splitlines()
        self.assertEqual(len(lines), 60 * 12)
        last = {}
        for line in lines:
            qid, _, _, rank, score, name = line.split()
            self.assertEqual(name, "linear")
            if qid in last:
                self.assertEqual(int(rank), last[qid][0] + 1)
                self.assertLessEqual(float(score), last[qid][1])
            last[qid] = (int(rank), float(score))

    def test_options_from_a_file(self):
        config = self.path("c.toml", 'l2 = 0.5\nmeasure = "AP"\n[train]\nseed = 9\n[score]\nformat = "run"\n')
        summary = self.run_json("train", "linear", "--data", self.train, "--config", config)
        self.assertEqual(summary["options"]["l2"], 0.5)
        self.assertIn("AP", summary["measures"]["train"])
        summary = self.run_json("train", "linear", "--data", self.train, "--config", config, "--l2", "2")
        self.assertEqual(summary["options"]["l2"], 2)
        self.assert_fails(2, "bad.toml:1: podium train has no option 'l3', did you mean l2", "train", "linear", "--data",
                          self.train, "--config", self.path("bad.toml", "l3 = 1\n"))

    def test_phases_of_a_learner_that_bins(self):
        command = ["train", "lambdamart", "--data", self.train, "--trees", "3"]
        summary = self.run_json(*command)
        phases = summary["phases"]
        self.assertEqual(list(phases), ["read", "bin", "fit"])
        self.assertGreater(min(phases.values()), 0)
        self.assertAlmostEqual(phases["bin"] + phases["fit"], summary["seconds"])
        self.assertRegex(self.run_ok(*command), r"(?m)^# read \d+\.\d\d s, binned \d+\.\d\d s, fitted \d+\.\d\d s$")
        self.assertRegex(self.run_ok("train", "linear", "--data", self.train), r"(?m)^# read \d+\.\d\d s, fitted \d+\.\d\d s$")

    def test_progress_as_json_lines(self):
        result = podium("train", "linear", "--data", self.train, "--valid", self.valid, "--progress", "json")
        lines = [json.loads(line) for line in result.stderr.splitlines()]
        steps = [line for line in lines if "iteration" in line]
        self.assertGreater(len(steps), 3)
        self.assertIn("valid nDCG@10", steps[0])

    def test_wrong_usage(self):
        self.assert_fails(2, "unknown learner 'liner', did you mean linear", "train", "liner", "--data",
                          self.train)
        self.assert_fails(2, "--data is required", "train", "linear")
        self.assert_fails(2, "--l2: '-1' is not a number >= 0", "train", "linear", "--data", self.train,
                          "--l2", "-1")
        self.assert_fails(2, "unknown argument '--l3', did you mean --l2", "train", "linear", "--data",
                          self.train, "--l3", "1")
        self.assert_fails(2, "unknown loss 'square', did you mean squared", "train", "linear", "--data",
                          self.train, "--loss", "square")
        self.assert_fails(2, "feature takes no --loss", "train", "feature", "--data", self.train,
                          "--loss", "squared")
        self.assert_fails(2, "measure", "train", "linear", "--data", self.train, "--measure", "nDGC@10")
        self.assert_fails(2, "unknown argument 'tarin', did you mean train", "tarin")

    def test_failures_leave_no_file(self):
        model = self.path("out.json")
        self.assert_fails(1, "^nowhere.txt: ", "train", "linear", "--data", "nowhere.txt", "--model", model)
        self.assertFalse(model.exists())
        broken = self.path("broken.txt", "1 qid:1 1:0.5\n2 qid:1 1:x\n")
        self.assert_fails(1, r"broken.txt:2: ", "train", "linear", "--data", broken, "--model", model)
        self.assertFalse(model.exists())
        self.assertEqual([p.name for p in self.folder.iterdir() if "out.json" in p.name], [])
        self.assert_fails(1, "broken.json", "score", "--model", self.path("broken.json", "{"), "--data",
                          self.test)

    def test_structural_svm_with_certificate_and_diagnostics(self):
        table = self.path("d.tsv")
        model = self.path("svm.json")
        summary = self.run_json("train", "svm-map", "--data", self.train, "--valid", self.valid, "--model", model,
                                "--C", "0.1,1,10", "--diagnostics", table)
        objective = summary["objective"]
        self.assertLessEqual(objective["dual"], objective["primal"])
        self.assertLessEqual(objective["gap"], 1e-3)
        self.assertIn(summary["chosen"]["C"], (0.1, 1, 10))
        self.assertEqual(json.loads(model.read_text())["training"]["certificate"], objective)
        rows = [line.split("\t") for line in table.read_text().splitlines()]
        self.assertEqual(rows[0][:2], ["iteration", "C"])
        self.assertEqual([row[1] for row in rows[1:]], ["0.1", "1", "10"])
        column = rows[0].index("slack")
        slacks = [float(row[column]) for row in rows[1:]]
        self.assertEqual(slacks, sorted(slacks, reverse=True))

    def test_svm_usage_errors(self):
        for option, value in (("--C", "0"), ("--C", "-1"), ("--C", "1,x"), ("--epsilon", "0"), ("--k", "-1")):
            self.assert_fails(2, option, "train", "svm-ndcg", "--data", self.train, option, value)
        flat = self.path("flat.txt", "0 qid:1 1:1\n0 qid:1 1:2\n1 qid:2 1:1\n")
        self.assert_fails(1, "no query contributes to the loss", "train", "svm-map", "--data", flat)
        self.assert_fails(2, "svm-map takes no --loss", "train", "svm-map", "--data", self.train, "--loss",
                          "structured-auc")

    def test_svms_give_the_same_bits_for_any_number_of_threads(self):
        for learner in ("ranksvm", "svm-map", "svm-ndcg", "dorm"):
            files = []
            for threads in (1, 2):
                model = self.path(f"model{threads}.json")
                self.run_ok("train", learner, "--data", self.train, "--valid", self.valid, "--model", model,
                            "--threads", threads, "--quiet")
                files.append(model.read_bytes())
            self.assertEqual(files[0], files[1], learner)

    def test_directrank_trees_notes_its_settings_for_this_many_queries(self):
        many = self.synth("many.txt", 400)
        for data, leaves, rate, fraction, weigh_on in ((many, 2, 1, 1, "all"), (many, 3, 0.3, 0.5, "held-out")):
            train = ("train", "directrank-trees", "--data", data, "--trees", 3, "--leaves", leaves)
            by_itself, asked_for = self.path("auto.json"), self.path("given.json")
            run = podium(*train, "--model", by_itself)
            taken = f"--learning-rate {rate} --query-fraction {fraction} --weigh-on {weigh_on}"
            self.assertIn(f"note: 400 training queries, {leaves} leaves: {taken}\n", run.stderr)
            self.run_ok(*train, *taken.split(), "--model", asked_for, "--quiet")
            models = [json.loads(path.read_text())["model"] for path in (by_itself, asked_for)]
            self.assertEqual(models[0], models[1])
            self.assertEqual(self.run_json(*train)["chosen"], {"learning-rate": rate, "query-fraction": fraction})
        self.assert_fails(2, "--learning-rate 'fast': must be auto or a number", "train", "directrank-trees", "--data",
                          many, "--learning-rate", "fast")

    def test_lists(self):
        for kind in ("learners", "losses", "measures"):
            entries = self.run_json(kind)[kind]
            self.assertTrue(all(entry["summary"] for entry in entries))
            one = self.run_json(kind, entries[0]["name"])
            self.assertEqual(one["name"], entries[0]["name"])
        self.assertIn("default", self.run_ok("learners", "linear"))
        self.assert_fails(2, "unknown learner", "learners", "nosuch")

    def test_help_and_version(self):
        self.assertIn("train", self.run_ok("--help"))
        self.assertIn("--l2", self.run_ok("train", "linear", "--help"))
        self.assertIn("compiler", self.run_ok("--version"))
        self.assertIn("compiler", self.run_ok("train", "--version"))

    def test_intervalrank_with_a_barrier(self):
        data, model = self.synth(), self.path("m.json")

        def trained(*options):
            self.run_ok("train", "intervalrank", "--data", data, "--trees", 3, "--model", model, "--quiet", *options)
            saved = json.loads(model.read_text())
            return saved["loss"], saved["model"]["trees"]

        exact, barrier = trained(), trained("--barrier", 8)
        self.assertEqual((exact[0], barrier[0]), ("interval", "interval(barrier=8)"))
        self.assertNotEqual(exact[1], barrier[1])
        self.assertEqual(trained("--barrier", 0), exact)
        self.assert_fails(2, "lambda2", "train", "intervalrank", "--data", data, "--model", model, "--barrier", 8,
                          "--lambda2", 0)

    def test_weights_of_zero_are_noted_once(self):
        data = self.path("none.txt", self.train.read_text())
        self.path("none.txt.weight", "0\n" * len(data.read_text().splitlines()))
        for learner in ("linear", "lambdamart"):
            said = podium("train", learner, "--data", data, "--model", self.path("none.json"))
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertEqual(said.stderr.count("of no use: all weights are zero"), 1, said.stderr)
        flat = self.path("flat.txt", "".join(f"{d % 2} qid:{q} 1:3\n" for q in range(1, 5) for d in range(4)))
        said = podium("train", "svm-map", "--data", flat, "--model", self.path("none.json")).stderr
        self.assertEqual(said.count("podium: note: "), 1, said)

    def test_a_model_that_ranks_nothing_is_reported(self):
        flat = self.path("flat.txt", "".join(f"{d % 2} qid:{q} 1:3 2:{q}\n" for q in range(1, 5) for d in range(4)))
        model = self.path("flat.json")
        why = "all features are constant within each query (values are stored as float32)"
        for learner in ("lambdamart", "linear", "directrank"):
            command = ("train", learner, "--data", flat, "--model", model)
            result = podium(*command, "--json")
            self.assertEqual(json.loads(result.stdout)["useless"], why)
            self.assertEqual(result.stderr.count("podium: note: the model is of no use: " + why), 1)
            self.assertEqual(json.loads(model.read_text())["training"]["useless"], why)
            self.assertIn("of no use\t" + why, self.run_ok("inspect", model))
            self.assertEqual(self.run_json("inspect", model)["training"]["useless"], why)
            model.unlink()
            self.assert_fails(1, "^--strict: the model is of no use: " + re.escape(why), *command, "--strict")
            self.assertFalse(model.exists())
        self.assert_fails(1, re.escape(why), "tune", "lambdamart", "--data", flat, "--valid", flat, "--trials", 2, "--strict")
        fine = self.run_json("train", "linear", "--data", self.train, "--model", model, "--strict")
        self.assertIsNone(fine["useless"])
        self.assertNotIn("useless", json.loads(model.read_text())["training"])
        folder = self.path("compared")
        compared = podium("compare", "--data", flat, "--learners", "linear,feature", "--folds", 3, "--output", folder)
        self.assertEqual(compared.returncode, 0, compared.stderr)
        self.assertIn(f"podium: note: linear: the model is of no use: {why}", compared.stderr)
        systems = json.loads((folder / "results.json").read_text())["systems"]
        self.assertEqual({cell["useless"] for system in systems for cell in system["cells"]}, {why})


if __name__ == "__main__":
    unittest.main()
