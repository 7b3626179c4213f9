"""clicks, train --clicks and eval --clicks: from a simulated log to a model and its value."""
import json
import unittest

from support import CliTest, podium


class ClicksTest(CliTest):
    def setUp(self):
        super().setUp()
        self.docs, self.test, self.log, self.fit = (self.folder / name for name in
                                                    ("docs.txt", "test.txt", "log.tsv", "p.json"))
        small = ("--docs", 8, "--features", 6, "--quiet")
        self.run_ok("synth", "--queries", 60, *small, "-o", self.docs)
        self.run_ok("synth", "--queries", 60, "--seed", 2, *small, "-o", self.test)
        self.truth = self.simulate(self.log)

    def simulate(self, path, *options):
        return self.run_json("clicks", "simulate", "--data", self.docs, "--ranker", "feature:1", "--sessions", 20000,
                             "--depth", 8, *options, "-o", path)

    def test_fit_finds_the_propensities_and_says_how_well(self):
        fit = self.run_json("clicks", "fit", "--clicks", self.log, "-o", self.fit)
        self.assertEqual(fit["components"], 1)
        self.assertEqual((fit["sessions"], fit["lines"]), (20000, self.truth["lines"]))
        for estimate, truth, (low, high) in zip(fit["propensities"], self.truth["propensities"], fit["intervals"]):
            self.assertLess(abs(estimate - truth), 0.35 * truth)
            self.assertLessEqual(low, estimate)
            if high is not None:  # the last positions have too few clicks
                self.assertGreaterEqual(high, estimate)
        self.assertIsNotNone(fit["intervals"][3][1])
        self.assertLess(fit["held_out"]["perplexity"], fit["held_out"]["null"]["perplexity"])
        self.assertEqual(json.loads(self.fit.read_text())["propensities"], fit["propensities"])
        text = self.run_ok("clicks", "fit", "--clicks", self.log, "--model", "dbn", "--quiet")
        self.assertIn("# perseverance ", text)

    def test_threads_and_compression_change_nothing(self):
        packed = self.folder / "log.tsv.gz"
        self.simulate(packed, "--threads", 2)
        for model in ("pbm", "ubm"):
            one, two = (self.run_json("clicks", "fit", "--clicks", log, "--model", model, "--threads", threads)
                        for log, threads in ((self.log, 1), (packed, 2)))
            self.assertEqual(one, two)

    def test_refuses_a_log_without_variation(self):
        fixed = self.folder / "fixed.tsv"
        self.simulate(fixed, "--explore", 0)
        self.assertEqual(self.run_json("clicks", "inspect", "--clicks", fixed)["components"], 8)
        self.assert_fails(1, "does not determine the propensities.*--assume 1/p.1", "clicks", "fit", "--clicks", fixed)
        fit = self.run_json("clicks", "fit", "--clicks", fixed, "--assume", "1/p^1")
        self.assertTrue(fit["assumed"])
        self.assertAlmostEqual(fit["propensities"][3], 0.25)

    def test_report(self):
        page, model = self.folder / "r.html", self.folder / "m.json"
        self.run_ok("train", "feature", "--data", self.docs, "--model", model, "--quiet")
        ask = ("clicks", "report", "--clicks", self.log, "-o", page)
        made = self.run_json(*ask, "--models", "pbm,trust,ctr-rank", "--data", self.docs, "--rankers", model, model)
        fit = self.run_json("clicks", "fit", "--clicks", self.log)
        pbm = made["models"][0]
        for found, alone in zip(pbm["propensities"], fit["propensities"]):  # --data changes the order of sums
            self.assertAlmostEqual(found, alone, 7)
        self.assertAlmostEqual(pbm["fit"]["perplexity"], fit["held_out"]["perplexity"], 7)
        self.assertLess(pbm["weights"]["effective"], pbm["weights"]["clicks"])
        self.assertEqual((made["log"]["sessions"], len(made["positions"]), made["components"]), (20000, 8, 1))
        self.assertIsNone(made["models"][2]["weights"])
        self.assertEqual(made["values"]["propensities"], "pbm")
        self.assertEqual(made["values"]["results"][1]["against"]["difference"], 0)
        text = page.read_text()
        self.assertIn("podium-clicks-report", text)
        self.assertNotIn("@podium-results@", text)
        self.assertEqual(self.run_json(*ask, "--models", "pbm", "--threads", 1), self.run_json(*ask, "--models", "pbm", "--threads", 2))
        for wrong, words in (("need --data", ("--rankers", model)), ("is for --rankers", ("--data", self.docs)), ("'pmb'", ("--models", "pmb")),
                             ("--value needs --rankers", ("--value", "RR")), ("--alpha needs --interleaving", ("--alpha", 0.1)),
                             ("regression-em needs --data", ("--models", "regression-em"))):
            self.assert_fails(2, wrong, *ask, *words)
        self.assert_fails(2, "would overwrite the data", "clicks", "report", "--clicks", self.log, "-o", self.log)

    def test_sparse_logs_have_no_intervals_of_pbm(self):
        sparse = self.folder / "sparse.tsv"
        self.run_ok("clicks", "simulate", "--data", self.docs, "--ranker", "feature:1", "--sessions", 600, "-o", sparse, "--quiet")
        fit = self.run_json("clicks", "fit", "--clicks", sparse)
        self.assertIsNone(fit["intervals"][-1][1])
        text = podium("clicks", "fit", "--clicks", sparse)
        self.assertRegex(text.stderr, "positions have no interval.*--model harvest")
        self.assertNotIn("inf", text.stdout)
        self.assertNotIn(None, self.run_json("clicks", "fit", "--clicks", sparse, "--model", "harvest")["intervals"][-1])

    def test_judgements(self):
        out = self.folder / "q.txt"
        self.run_ok("clicks", "judge", "--clicks", self.log, "--format", "qrels", "-o", out, "--quiet")
        self.assertEqual({line.split()[3] for line in out.read_text().splitlines()} - set("01234"), set())
        self.run_ok("clicks", "judge", "--clicks", self.log, "--data", self.docs, "--format", "data", "-o", out, "--quiet")
        self.assertEqual(len(out.read_text().splitlines()), 480)
        self.assert_fails(2, "--format data needs --data", "clicks", "judge", "--clicks", self.log, "--format", "data",
                          "-o", out)

    def trained(self, *options):
        model = self.folder / "m.json"
        self.run_ok("train", "lambdamart", "--data", self.docs, "--trees", 40, "--leaves", 6, "--model", model, *options,
                    "--quiet")
        return self.run_json("eval", "--data", self.test, "--model", model, "--measures", "nDCG@10")["results"][0][
            "measures"]["nDCG@10"], model.read_bytes()

    def test_debiased_training_beats_naive(self):
        self.run_ok("clicks", "fit", "--clicks", self.log, "-o", self.fit, "--quiet")
        clicks = ("--clicks", self.log)
        naive, _ = self.trained(*clicks, "--debias", "naive")
        for method in ("ipw", "overlap", "judged"):
            value, model = self.trained(*clicks, "--debias", method, "--propensities", self.fit)
            self.assertGreater(value, naive, method)
            self.assertEqual(model, self.trained(*clicks, "--debias", method, "--propensities", self.fit, "--threads", 1)[1])
        for method in ("pairwise", "additive"):
            _, model = self.trained(*clicks, "--debias", method)
            self.assertEqual(model, self.trained(*clicks, "--debias", method, "--threads", 2)[1])

    def test_relevance_from_features(self):
        ask = ("clicks", "fit", "--clicks", self.log, "--data", self.docs, "--model", "regression-em", "--refits", 6)
        one, two = (self.run_json(*ask, "--threads", threads) for threads in (1, 2))
        self.assertEqual(one, two)
        self.assertEqual(one["model"], "regression-em")
        text = self.run_ok(*ask, "--seed", 3, "-o", self.fit, "--quiet")
        self.assertIn("# relevance by boosting(trees=100), seed 3, fitted ", text)
        self.run_ok("train", "lambdamart", "--data", self.docs, "--clicks", self.log, "--debias", "ipw", "--propensities",
                    self.fit, "--trees", 2, "--model", self.folder / "r.json", "--quiet")
        fixed = self.folder / "fixed.tsv"
        self.simulate(fixed, "--explore", 0)
        noted = podium("clicks", "fit", "--clicks", fixed, *ask[4:])
        self.assertEqual(noted.returncode, 0)
        self.assertIn("are compared only by the relevance that boosting", noted.stderr)
        out = self.folder / "q.txt"
        self.run_ok("clicks", "judge", *ask[2:], "--format", "qrels", "-o", out, "--quiet")
        self.assert_fails(2, "--model regression-em needs --data", "clicks", "fit", "--clicks", self.log, "--model",
                          "regression-em")
        self.assert_fails(2, "--data is for --model regression-em", "clicks", "fit", "--clicks", self.log, "--data", self.docs)
        self.assert_fails(2, "--refits is for --model regression-em", "clicks", "fit", "--clicks", self.log, "--refits", 6)
        self.assert_fails(2, "--relevance-learner: ranksvm cannot learn probabilities", *ask, "--relevance-learner", "ranksvm")
        self.assert_fails(2, "--assume is not for --model regression-em", *ask, "--assume", "1/p^1")

    def test_dual_learns_propensities_beside_the_ranker(self):
        model = self.folder / "dual.json"
        ask = ("train", "boosting", "--loss", "softmax", "--data", self.docs, "--clicks", self.log, "--debias", "dual",
               "--trees", 20, "--leaves", 6, "--force", "--quiet", "--model")
        found = []
        for threads in (1, 2):
            self.run_ok(*ask, model, "--threads", threads)
            found.append(model.read_bytes())
        self.assertEqual(*found)
        for learner, message in (("lambdamart", "learns by softmax losses: boosting with --loss softmax"),
                                 ("listnet", "listnet cannot learn propensities beside its model")):
            self.assert_fails(2, message, "train", learner, "--data", self.docs, "--clicks", self.log, "--debias", "dual")
        self.assert_fails(2, "learns by softmax losses", "train", "boosting", "--loss", "softmax@3", *ask[4:], model)

    def test_value_of_models(self):
        self.run_ok("clicks", "fit", "--clicks", self.log, "-o", self.fit, "--quiet")
        good = self.folder / "good.json"
        bad = self.folder / "bad.json"
        self.run_ok("train", "lambdamart", "--data", self.docs, "--trees", 30, "--model", good, "--quiet")
        self.run_ok("train", "feature", "--data", self.docs, "--features", "2", "--model", bad, "--quiet")
        ask = ("eval", "--data", self.docs, "--clicks", self.log, "--propensities", self.fit, "--model", bad, good)
        best = {}
        for estimator in ("ips", "snips", "dm", "dr"):
            report = self.run_json(*ask, "--estimator", estimator)
            low, best[estimator] = (result["value"] for result in report["results"])
            self.assertGreater(best[estimator], low, estimator)
            self.assertLess(report["comparisons"][0]["p"], 0.05)
            self.assertAlmostEqual(best[estimator], best["ips"], delta=0.1 * best["ips"])  # one scale
        self.assert_fails(2, "--estimator affine needs --propensities with slope and offset", *ask, "--estimator", "affine")
        self.assertEqual(self.run_json(*ask, "--clip", 0.3), self.run_json(*ask, "--propensity-clip", 0.3))

    def test_propensities_of_the_log(self):
        header, *lines = self.log.read_text().splitlines()
        place = header.split("\t").index("position")
        own = self.path("own.tsv", "\n".join([header + "\tpropensity"] + [
            f"{line}\t{1 / int(line.split(chr(9))[place]):.17g}" for line in lines]) + "\n")
        model = self.folder / "m.json"
        self.run_ok("train", "feature", "--data", self.docs, "--features", "2", "--model", model, "--quiet")
        truth = json.dumps({"format": "podium-clicks", "version": 1, "model": "pbm",
                            "propensities": [1 / p for p in range(1, 9)]})
        given = self.path("truth.json", truth)
        for estimator in ("ips", "snips", "dm", "dr"):
            with_column, with_file = (
                self.run_json("eval", "--data", self.docs, "--clicks", own, "--model", model, "--estimator", estimator, *more)
                ["results"][0]["value"] for more in ((), ("--propensities", given)))
            self.assertAlmostEqual(with_column, with_file, delta=1e-9)

    def test_propensity_files_are_checked(self):
        def file(**changes):
            return self.path("f.json", json.dumps({"format": "podium-clicks", "version": 1, "model": "pbm",
                                                   "propensities": [1, 0.5], **changes}))

        model = self.folder / "m.json"
        self.run_ok("train", "feature", "--data", self.docs, "--features", "2", "--model", model, "--quiet")
        ask = ("eval", "--data", self.docs, "--clicks", self.log, "--model", model, "--propensities")
        for changes, message in (({"version": 7}, "f.json: is of version 7"), ({"model": "ctr-rank"}, "are not propensities"),
                                 ({"model": "trust"}, "has no 'slope' and 'offset'"),
                                 ({"model": "x"}, "has no 'model'"), ({"propensities": [0]}, "'propensities' is not a list"),
                                 ({}, "positions up to 8, but propensities are known up to 2: --max-position 2")):
            self.assert_fails(1, message, *ask, file(**changes))
        self.run_ok(*ask, file(), "--max-position", 2, "--quiet")

    def test_dr_replaces_what_clipping_takes(self):
        self.run_ok("clicks", "fit", "--clicks", self.log, "-o", self.fit, "--quiet")
        model = self.folder / "m.json"
        self.run_ok("train", "feature", "--data", self.docs, "--model", model, "--quiet")

        def value(estimator, clip):
            return self.run_json("eval", "--data", self.docs, "--clicks", self.log, "--propensities", self.fit, "--model",
                                 model, "--estimator", estimator, "--clip", clip)["results"][0]["value"]

        whole = value("ips", 1e-6)
        self.assertLess(value("ips", 0.5), 0.9 * whole)
        self.assertAlmostEqual(value("dr", 0.5), whole, delta=0.03 * whole)
        clicked = self.log.read_text().splitlines()
        place = clicked[0].split("\t").index("click")
        none = [clicked[0]] + ["\t".join("0" if i == place else field for i, field in enumerate(line.split("\t")))
                               for line in clicked[1:]]
        log = self.path("none.tsv", "\n".join(none) + "\n")
        self.assert_fails(1, "the log has no clicks to estimate from", "eval", "--data", self.docs, "--clicks", log,
                          "--propensities", self.fit, "--model", model)

    def test_clip_has_one_meaning(self):
        self.run_ok("clicks", "fit", "--clicks", self.log, "-o", self.fit, "--quiet")

        def run(learner, *options):
            model = self.folder / "clip.json"
            result = podium("train", learner, "--data", self.docs, "--clicks", self.log, "--propensities", self.fit, "--model",
                            model, "--force", "--max-seconds", 60, *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stderr

        trees = ("lambdamart", "--trees", 2)
        self.assertEqual(run(*trees, "--clip", 0.5), run(*trees, "--propensity-clip", 0.5))
        self.assertIn("clipped at propensity 0.5", run(*trees, "--clip", 0.5))
        notes = run("ranknet", "--epochs", 1, "--clip", 0.5)
        self.assertIn("--clip limits the gradients of ranknet; --propensity-clip limits propensities", notes)
        self.assertIn("clipped at propensity 0.05", notes)
        self.assertIn("clipped at propensity 0.5", run("ranknet", "--epochs", 1, "--propensity-clip", 0.5))

    def test_row_order_changes_no_bit(self):
        lines = self.docs.read_text().splitlines()
        queries = {}
        for line in lines:
            queries.setdefault(line.split()[1], []).append(line)
        turned = self.path("turned.txt", "\n".join(line for one in reversed(queries.values()) for line in reversed(one)) + "\n")
        for method in ("pairwise", "additive", "dual", "naive"):
            learner = ("boosting", "--loss", "softmax") if method == "dual" else ("lambdamart",)
            models = []
            for data in (self.docs, turned):
                model = self.folder / "order.json"
                self.run_ok("train", *learner, "--data", data, "--clicks", self.log, "--debias", method, "--trees", 5,
                            "--leaves", 6, "--model", model, "--force", "--quiet")
                models.append(json.loads(model.read_text())["model"])
            self.assertEqual(*models, method)

    def test_scattered_sessions_are_noted(self):
        log = self.path("s.tsv", "session\tqid\tdocid\tposition\tclick\n" + "".join(
            f"{session}\tq\td{position}\t{position}\t1\n" for position in (1, 2) for session in "xy"))
        self.assertIn("2 sessions are not contiguous", podium("clicks", "inspect", "--clicks", log).stderr)

    def test_every_trust_model_can_be_read_again(self):
        for seed in range(1, 6):
            self.simulate(self.log, "--click-model", "trust", "--seed", seed)
            self.run_ok("clicks", "fit", "--clicks", self.log, "--model", "trust", "-o", self.fit, "--quiet")
            self.assertLessEqual(max(json.loads(self.fit.read_text())["propensities"]), 1)
            self.run_ok("train", "boosting", "--loss", "squared", "--data", self.docs, "--clicks", self.log, "--debias", "affine",
                        "--trees", 2, "--propensities", self.fit, "--model", self.folder / "t.json", "--force", "--quiet")

    def test_ubm_and_dbn_refuse_what_the_log_does_not_determine(self):
        fixed = self.folder / "fixed.tsv"
        self.simulate(fixed, "--explore", 0)
        fit = ("clicks", "fit", "--clicks", fixed, "--model")
        self.assert_fails(1, "does not determine the propensities.*--assume 1/p.1", *fit, "ubm")
        assumed = self.run_json(*fit, "ubm", "--assume", "1/p^1")
        self.assertTrue(assumed["assumed"])
        self.assertAlmostEqual(assumed["by_distance"][3][3], 0.25)
        self.assert_fails(1, "does not determine how many users give up.*--model sdbn", *fit, "dbn")
        self.assert_fails(1, "no two documents, one of them clicked, connect the positions", *fit, "trust")
        self.assert_fails(2, "--assume is not for --model trust", *fit, "trust", "--assume", "1/p^1")

    def test_other_names(self):
        for name, model in (("swap", "harvest"), ("ctr", "ctr-rank")):
            self.assertEqual(self.run_json("clicks", "fit", "--clicks", self.log, "--model", name)["model"], model)

    def test_a_log_without_clicks_says_so(self):
        header = "session\tqid\tdocid\tposition\tclick\n"
        none = self.path("none.tsv", header + "".join(f"{s}\tq\td{(s + p) % 3}\t{p}\t0\n" for s in range(6) for p in (1, 2, 3)))
        self.assertIn("The log has no clicks", self.run_ok("clicks", "inspect", "--clicks", none))
        for model in ("pbm", "ubm", "dbn", "trust", "ctr"):
            self.assert_fails(1, "the log has no clicks", "clicks", "fit", "--clicks", none, "--model", model)

    def test_times(self):
        header = "session\tqid\tdocid\tposition\tclick\ttime\n"
        log = self.path("times.tsv", header + "x\tq\ta\t1\t1\t2026-01-01T00:00:05Z\nx\tq\tb\t2\t0\t\nx\tq\tc\t3\t1\t2026-01-01T00:00:02Z\n"
                        "y\tq\ta\t1\t1\t2026-01-01T00:00:01Z\n")
        self.assertIn("1 session begins before the session above", self.run_ok("clicks", "inspect", "--clicks", log))
        self.assertEqual(self.run_json("clicks", "inspect", "--clicks", log)["backwards"], 1)
        log.write_text(header + "x\tq\ta\t1\t1\tyesterday\n")
        self.assert_fails(1, "times.tsv:2: the time 'yesterday' is neither a number nor as in", "clicks", "inspect", "--clicks", log)

    def test_affine_estimates_below_0(self):
        self.run_ok("clicks", "simulate", "--data", self.docs, "--ranker", "feature:1", "--sessions", 500, "--depth", 8, "--click-model",
                    "trust", "--quiet", "-o", self.log)
        self.run_ok("clicks", "fit", "--clicks", self.log, "--model", "trust", "-o", self.fit, "--quiet")
        ask = ("--data", self.docs, "--clicks", self.log, "--debias", "affine", "--propensities", self.fit, "--model",
               self.folder / "a.json", "--force")
        for learner in (("linear", "--loss", "squared"), ("boosting", "--loss", "squared", "--trees", 2)):
            result = podium("train", *learner, *ask)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertNotIn("0 unless", result.stderr)
        for learner in (("lambdamart",), ("boosting", "--loss", "softmax"), ("boosting", "--loss", "cosine")):
            self.assert_fails(2, r"--debias affine: \d+ of \d+ documents have estimates of relevance below 0.*: squared does", "train", *learner, *ask)

    def test_wrong_use(self):
        train = ("train", "lambdamart", "--data", self.docs)
        self.assert_fails(2, "--debias needs --clicks", *train, "--debias", "ipw")
        self.assert_fails(2, "--debias ipw needs --propensities", *train, "--clicks", self.log)
        self.assert_fails(2, "need lambda-ndcg", "train", "listnet", "--data", self.docs, "--clicks", self.log, "--debias",
                          "pairwise")
        self.run_ok("clicks", "fit", "--clicks", self.log, "-o", self.fit, "--quiet")
        self.assert_fails(2, "needs a pair loss or λ-rule.*not softmax", "train", "listnet", "--data", self.docs, "--clicks", self.log,
                          "--debias", "overlap", "--propensities", self.fit)
        self.assert_fails(2, "minimises no loss", "train", "adarank", "--data", self.docs, "--clicks", self.log,
                          "--debias", "naive")
        model = self.folder / "wrong.json"
        self.run_ok("train", "feature", "--data", self.docs, "--model", model, "--quiet")
        self.assert_fails(2, "--clicks needs --propensities", "eval", "--data", self.docs, "--model", model, "--clicks",
                          self.log)
        for option, method in (("--propensity-clip", "naive"), ("--propensity-clip", "overlap"), ("--clip", "pairwise"), ("--bias-l2", "pairwise"),
                               ("--bias-regularisation", "additive")):
            self.assert_fails(2, "is for --debias", *train, "--clicks", self.log, "--debias", method, option, 0.5)
        self.assert_fails(2, "--propensities is for --debias ipw, overlap, affine and judged", *train, "--clicks", self.log,
                          "--debias", "naive", "--propensities", self.fit)
        self.assert_fails(2, "'fti' is not one of", "clicks", "fti")
        bad = self.path("bad.tsv", "session\tqid\tdocid\tposition\tclick\ns\tq\td\t0\t1\n")
        self.assert_fails(1, "bad.tsv:2: the position is 0", "clicks", "inspect", "--clicks", bad)


if __name__ == "__main__":
    unittest.main()
