"""podium blend and podium auto as users run them."""
import json
import signal
import subprocess
import time
import unittest

from support import PODIUM, CliTest, podium


class BlendTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.synth()
        self.valid = self.synth("valid.txt", 30, 2)
        self.members = []
        for learner, *options in (("lambdamart", "--trees", 10), ("linear",)):
            self.members.append(self.path(f"{learner}.json"))
            self.run_ok("train", learner, *options, "--data", self.data, "--model", self.members[-1], "--quiet")

    def test_a_blend_is_a_model_like_others(self):
        blend = self.path("blend.json")
        found = self.run_json("blend", "--models", *self.members, "--data", self.valid, "--model", blend)
        self.assertAlmostEqual(sum(member["weight"] for member in found["members"]), 1)
        value = self.run_json("eval", "--data", self.valid, "--model", blend, "--measures", "nDCG@10")
        self.assertAlmostEqual(value["results"][0]["measures"]["nDCG@10"], found["value"])
        shown = self.run_json("inspect", blend)
        self.assertEqual([member["learner"] for member in shown["members"]], ["lambdamart", "linear"])
        self.assertIn("member linear", self.run_ok("inspect", blend))
        self.run_ok("explain", "--model", blend, "--data", self.valid, "--query", "1")
        self.run_ok("export", "--model", blend, "--to", "onnx", "-o", self.path("b.onnx"), "--verify", self.valid)
        self.assert_fails(1, "cannot export to lightgbm: the format has no sums of models of different kinds", "export",
                          "--model", blend, "--to", "lightgbm", "-o", self.path("b.txt"))
        self.assert_fails(2, "--init cannot continue a blend", "train", "lambdamart", "--data", self.data, "--init", blend)

    def test_a_blend_ignores_what_its_members_ignore(self):
        lines = self.data.read_text().splitlines()
        rows = ["label,qid,a,b,title"]
        for line in lines:
            words = line.split()
            rows.append(f"{words[0]},{words[1][4:]},{words[2].split(':')[1]},{words[3].split(':')[1]},some text")
        data = self.path("t.csv", "\n".join(rows) + "\n")
        members = [self.path("a.json"), self.path("b.json")]
        for member, learner in zip(members, ("linear", "ranksvm")):
            self.run_ok("train", learner, "--data", data, "--ignore", "title", "--model", member, "--quiet")
        blend = self.path("ab.json")
        self.run_ok("blend", "--models", *members, "--data", data, "--model", blend)
        self.run_ok("score", "--model", blend, "--data", data)

    def test_mistakes_are_named(self):
        self.assert_fails(2, "--model is missing", "blend", "--models", *self.members, "--data", self.valid)
        self.assert_fails(1, "none.json", "blend", "--models", self.path("none.json"), "--data", self.valid,
                          "--model", self.path("b.json"))


    def test_what_cannot_be_weighed_is_said(self):
        blend = self.path("b.json")
        said = self.run_ok("blend", "--models", self.members[0], "--data", self.valid, "--model", blend, "--quiet")
        self.assertIn("# one model: there are no weights to find", said)
        one = self.path("one.txt", "".join(line + "\n" for line in self.valid.read_text().splitlines() if "qid:1 " in line))
        said = self.run_ok("blend", "--models", *self.members, "--data", one, "--model", blend, "--quiet", "--force")
        self.assertIn("# equal weights: too few queries for folds that choose others", said)
        self.assertNotIn("nan", said)
        zeros = self.path("zeros.txt", "".join("0" + line[1:] + "\n" for line in self.valid.read_text().splitlines()))
        for words in (("blend", "--models", *self.members), ("auto", "--trials", "1")):
            self.assert_fails(1, "no query of the .*data has documents of different grades", *words, "--data", zeros, "--model",
                              blend, "--force")
        found = podium("blend", "--models", *self.members, "--data", self.data, "--model", blend, "--force")
        self.assertIn("lambdamart, linear were trained on this data", found.stderr)
        found = podium("blend", "--models", *self.members, "--data", self.valid, "--model", blend, "--force")
        self.assertNotIn("trained on this data", found.stderr)


class AutoTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.synth()

    def command(self, model, *more):
        return ["auto", "--data", self.data, "--learners", "linear,adarank,mart", "--folds", 3, "--model", model, *more]

    def test_a_killed_run_continues_to_the_same_bytes(self):
        whole, resumed, folder = self.path("whole.json"), self.path("resumed.json"), self.path("run")
        self.run_ok(*self.command(whole, "--trials", 7, "--threads", 1, "--quiet"))
        words = [PODIUM, *map(str, self.command(resumed, "--trials", 7, "--threads", 2, "--quiet", "-o", folder))]
        for wanted in (2, 5, 9, 13, 17):  # killed when this many training runs are done
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None and len(list((folder / "cells").glob("*.json"))) < wanted:
                time.sleep(0.002)
            process.kill()
            process.wait()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(whole.read_bytes(), resumed.read_bytes())

    def test_a_log_is_replayed_to_the_same_bytes(self):
        first, again, folder = self.path("first.json"), self.path("again.json"), self.path("run")
        found = self.run_json(*self.command(first, "--seconds", 2, "-o", folder))
        replayed = self.run_json(*self.command(again, "--replay", folder / "log.json"))
        self.assertEqual(first.read_bytes(), again.read_bytes())
        self.assertEqual(found["trials"], replayed["trials"])
        self.assert_fails(2, "the log is of a run with --folds 3, and now it is 4", "auto", "--data", self.data, "--learners",
                          "linear,adarank,mart", "--folds", 4, "--model", again, "--force", "--replay", folder / "log.json")
        if found["estimate"]:
            self.assertEqual(found["estimate"]["value"], replayed["estimate"]["value"])

    def test_a_replay_gives_up_what_the_log_names_and_nothing_else(self):
        folder, again, model = self.path("run"), self.path("again"), self.path("m.json")
        words = ["--learners", "ranksvm,linear", "--folds", 3, "--model", model, "--force", "--quiet"]
        self.run_ok("auto", "--data", self.data, *words, "--trials", 3, "-o", folder)
        log = json.loads((folder / "log.json").read_text())
        log["slow"] = [["ranksvm", 0, 0, 1]]
        edited = self.path("edited.json", json.dumps(log))
        self.run_ok("auto", "--data", self.data, *words, "--replay", edited, "-o", again)
        self.assertEqual(json.loads((again / "log.json").read_text())["slow"], log["slow"])

    def test_little_time_leaves_the_flagship(self):
        data, first, again, folder = self.path("mslr.txt"), self.path("first.json"), self.path("again.json"), self.path("run")
        self.run_ok("synth", "--preset", "mslr", "--queries", 100, "-o", data, "--quiet")
        words = ["auto", "--data", data, "--members", 3]
        found = self.run_json(*words, "--seconds", 1, "-o", folder, "--model", first)
        self.assertIn("lambdamart", [row["learner"] for row in found["leaderboard"]])
        against = {row["system"]: row["value"] for row in found["estimate"]["against"]}
        self.assertGreater(against["lambdamart"], 0)
        self.assertTrue(found["budget"]["cut"] or found["budget"]["not_tried"] or found["not_judged"])
        # Only what is under way may take longer; generous, as other programs run.
        self.assertLess(found["seconds"], 10)
        replayed = self.run_json(*words, "--replay", folder / "log.json", "--model", again)
        self.assertEqual(first.read_bytes(), again.read_bytes())
        self.assertEqual(found["estimate"]["value"], replayed["estimate"]["value"])
        said = podium(*words, "--seconds", 0.5, "--model", self.path("m.json"))
        self.assertRegex(said.stdout, "# (not tried before the time was over|.* ended by the time, with the best model so far|"
                                      ".* given up without a model)")

    def test_an_interrupted_run_keeps_the_best_so_far(self):
        model, folder = self.path("m.json"), self.path("run")
        words = [PODIUM, *map(str, self.command(model, "--trials", 60, "--quiet", "--json", "-o", folder))]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        while process.poll() is None and len(list((folder / "cells").glob("*.json"))) < 20:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=120)
        self.assertIn(process.returncode, (0, 130))
        self.assertGreater(json.loads(output)["trials"], 0)
        self.run_ok("score", "--model", model, "--data", self.data, "-o", self.path("s.txt"))

    def test_latency_and_mistakes(self):
        found = self.run_json(*self.command(self.path("m.json"), "--trials", 3, "--max-latency", 1000))
        self.assertLessEqual(sum(member["microseconds"] for member in found["chosen"]), 1000)
        self.assertTrue(found["latency_front"])
        self.assert_fails(2, "--trials and --seconds cannot be combined", *self.command(self.path("m.json"), "--trials", 3, "--seconds", 9))
        self.assert_fails(2, "unknown learner 'linaer', did you mean linear", "auto", "--data", self.data, "--learners", "linaer",
                          "--trials", 1, "--model", self.path("m.json"))
        self.run_ok(*self.command(self.path("m.json"), "--trials", 1, "-o", self.path("run"), "--force"))
        lines = self.data.read_text().splitlines()
        lines[0], lines[1] = lines[1], lines[0]  # scores that were saved belong to the order of rows
        self.data.write_text("\n".join(lines) + "\n")
        self.assert_fails(2, "data", *self.command(self.path("m.json"), "--trials", 1, "-o", self.path("run"), "--force"))
        self.path("other").mkdir()
        self.path("other/notes.txt", "mine")
        self.assert_fails(2, "names something else", *self.command(self.path("m.json"), "--trials", 1, "-o", self.path("other")))


if __name__ == "__main__":
    unittest.main()
