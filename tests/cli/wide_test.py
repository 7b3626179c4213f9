"""A feature numbered 1,000,000 costs only as much as the data: a few documents and a few features."""
import json
import os
import random
import re
import subprocess
import unittest
import urllib.request

from support import PODIUM, CliTest

MEGABYTES = 250  # names of a million features take 32 MB; tables by feature number would take thousands


class WideTest(CliTest):
    def setUp(self):
        super().setUp()
        numbers = random.Random(1)
        rows = []
        for query in range(20):
            for _ in range(5):
                grade = numbers.randint(0, 2)
                rows.append(f"{grade} qid:{query} 1:{grade + numbers.random():.3f} "
                            f"7:{numbers.random():.3f} {500000 + query}:1 1000000:{numbers.random():.3f}")
        self.data = self.path("wide.txt", "\n".join(rows) + "\n")

    def run_small(self, *arguments, megabytes=MEGABYTES):
        """Succeeds within this memory, and returns the output."""
        with open(self.path("out"), "w+") as out:
            process = subprocess.Popen([PODIUM, *map(str, arguments)], stdout=out, stderr=out)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            text = out.read()
        self.assertEqual(process.returncode, 0, text)
        self.assertLess(used.ru_maxrss / 1024, megabytes, " ".join(map(str, arguments)))
        return text

    def test_inspect_lists_what_is_present(self):
        text = self.run_small("inspect", self.data)
        self.assertIn("features\t1000000\n", text)
        self.assertIn("absent features\t999977 ", text)
        self.assertLess(len(text), 5000)
        described = self.run_json("inspect", self.data)
        self.assertEqual(described["absent_features"], 999977)
        self.assertEqual([f["name"] for f in described["feature"]][:3], ["1", "7", "500000"])

    def test_prepare(self):
        for steps in ([], ["--normalize", "query-zscore"], ["--bins", 10], ["--features", "1,1000000"]):
            self.run_small("prepare", self.data, "-o", self.path("out.txt"), *steps)
        self.run_small("prepare", self.data, "-o", self.path("wide.podium"))
        self.run_small("inspect", self.path("wide.podium"))

    def test_learners_have_inputs_for_present_features(self):
        for learner in ("linear", "svm-map", "rankcosine", "mlp", "lambdamart", "adarank", "rankboost",
                        "coordinate-ascent", "directrank", "feature"):
            model = self.path(f"{learner}.json")
            said = self.run_small("train", learner, "--data", self.data, "--model", model)
            self.assertIn("23 of 1000000 features occur", said)
            saved = json.loads(model.read_text())
            self.assertEqual(len(saved["features"]), 23)
            self.assertLess(model.stat().st_size, 1 << 20)
            self.run_small("eval", "--data", self.data, "--model", model)
            # data with fewer, or more, features is scored too
            other = self.path("other.txt", "0 qid:1 1:1\n0 qid:1 2:1 600000:1\n")
            self.assertEqual(len(self.run_ok("score", "--model", model, "--data", other).split()), 2)

    def test_options_that_name_absent_features(self):
        train = ["train", "lambdamart", "--trees", 2, "--data", self.data]
        for option in (["--monotone", "9:+1"], ["--init", "feature:9"]):
            self.assert_fails(2, f"{option[0]}: feature '9' occurs in no document, or was not selected; the nearest "
                                 "that does is 7", *train, *option)
        for option in (["--monotone", "2000000:+1"], ["--init", "feature:2000000"]):
            self.assert_fails(2, f"{option[0]}: feature '2000000' occurs in no document, or was not selected; the "
                                 "highest that does is 1000000", *train, *option)
        self.run_ok(*train, "--monotone", "7:+1", "--quiet")

    def test_bits_do_not_depend_on_how_data_is_stored(self):
        self.run_ok("prepare", self.data, "-o", self.path("wide.podium"))
        models = []
        for data in (self.data, self.path("wide.podium")):
            model = self.path("m.json")
            self.run_ok("train", "mlp", "--data", data, "--model", model)
            models.append(model.read_bytes())
        self.assertEqual(models[0], models[1])

    def test_compare(self):
        self.run_small("compare", "--data", self.data, "--learners", "linear,mlp,lambdamart", "--folds", 3,
                       "-o", self.path("results"), megabytes=600)  # names of each fold's parts

    def test_a_request_costs_only_what_it_mentions(self):
        model = self.path("m.json")
        self.run_ok("train", "linear", "--data", self.data, "--model", model)
        server = subprocess.Popen([PODIUM, "serve", "--model", model, "--port", "0"], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        port = None
        while port is None:
            line = server.stdout.readline()
            self.assertTrue(line, "the server ended")
            found = re.search(r"127\.0\.0\.1:(\d+)", line)
            port = found and found.group(1)
        request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/score",
                                         data=b"0 1:0.5 1000000:1\n0 7:1 999999:1\n",
                                         headers={"Content-Type": "text/plain"})
        with urllib.request.urlopen(request) as answer:
            scores = json.load(answer)["scores"]
        with open(f"/proc/{server.pid}/status") as status:
            most = re.search(r"VmHWM:\s*(\d+) kB", status.read()).group(1)
        self.assertLess(int(most) / 1024, 64)
        lines = self.path("lines.txt", "0 qid:1 1:0.5 1000000:1\n0 qid:1 7:1 999999:1\n")
        expected = self.run_ok("score", "--model", model, "--data", lines).split()
        for score, text in zip(scores, expected, strict=True):
            self.assertAlmostEqual(score, float(text), places=12)


if __name__ == "__main__":
    unittest.main()
