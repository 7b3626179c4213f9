"""One query with many documents: work that took minutes, or did not end, takes seconds; slow work is announced, and stops on request."""
import resource
import signal
import subprocess

from support import PODIUM, CliTest, podium


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class LongListsTest(CliTest):
    def long_list(self, documents):
        path = self.folder / f"list{documents}.podium"
        self.run_ok("synth", "--queries", 1, "--docs", documents, "--features", 16, "--quiet", "-o", path)
        return path

    def assert_quick(self, seconds, *arguments):
        began = processor_seconds()
        self.run_ok(*arguments, "--quiet")
        self.assertLess(processor_seconds() - began, seconds, arguments)

    def test_learners_of_20000_documents(self):
        data = self.long_list(20000)
        for words in (["gbrank", "--trees", 20], ["frank", "--rounds", 20], ["softrank", "--epochs", 10], ["ranknet", "--epochs", 10],
                      ["boosting", "--loss", "softrank", "--trees", 3], ["boosting", "--loss", "approx-ndcg", "--trees", 10], ["linear", "--loss", "smooth", "--epochs", 5],
                      ["boosting", "--loss", "fidelity-pairs", "--trees", 20], ["boosting", "--loss", "lambda-tau", "--trees", 5],
                      ["boosting", "--loss", "lambda-bpref", "--trees", 5]):
            self.assert_quick(20, "train", *words, "--data", data, "--model", self.path("model.json"))

    def test_measures_of_200000_tied_documents(self):
        data = self.long_list(200000)
        scores = self.path("scores.txt", "".join(f"{i * i % 7}\n" for i in range(200000)))
        self.assert_quick(20, "eval", "--data", data, "--scores", scores, "--measures", "nDCG,AP,AP@50000,RR,ERR,infAP,Bpref,tau,PairAcc,AUC,RBP,MeanNDCG")

    def test_long_work_is_announced(self):
        data = self.long_list(3000)
        said = podium("train", "boosting", "--loss", "softrank@100", "--trees", 900, "--max-seconds", 1, "--data", data, "--model", self.path("model.json"))
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("note: softrank@100 on lists of up to 3,000 documents: about 0.2 s per round, 3 minutes for 900 rounds", said.stderr)
        quiet = podium("train", "boosting", "--loss", "gbrank", "--trees", 10, "--data", data, "--model", self.path("model.json"))
        self.assertNotIn("documents: about", quiet.stderr)

    def interrupted(self, begin, *arguments):
        """The processor time and the exit code of a process that is interrupted after a progress line with this text."""
        began = processor_seconds()
        process = subprocess.Popen([PODIUM, *map(str, arguments), "--progress", "json"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for line in process.stderr:
            if begin in line:
                break
        process.send_signal(signal.SIGINT)
        process.stderr.read()
        process.stderr.close()
        return process.wait(timeout=200), processor_seconds() - began

    def test_a_round_on_a_long_list_ends_soon_after_an_interruption(self):
        data, model = self.long_list(200000), self.path("model.json")
        code, used = self.interrupted("iteration", "train", "gbrank", "--trees", 100000, "--data", data, "--model", model, "--threads", 1)
        self.assertEqual(code, 128 + signal.SIGINT)
        self.assertTrue(model.exists())
        self.assertLess(used, 15)  # reading, binning, two rounds

    def test_a_loss_that_takes_minutes_for_one_list_stops_on_request(self):
        data, model = self.long_list(200000), self.path("model.json")
        for learner, phase, *words in (("boosting", "growing trees", "--loss", "lambda-meanndcg(truncation=0)"),
                                       ("boosting", "growing trees", "--loss", "lambda-ndcg(truncation=0)"),
                                       ("linear", "training linear", "--loss", "lambda-iprec11(truncation=0)")):
            began = processor_seconds()
            process = subprocess.Popen([PODIUM, "train", learner, *words, "--data", data, "--model", model, "--threads", "1", "--progress", "json"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.kill)
            with process.stderr:
                self.assertTrue(any(phase in line for line in process.stderr), words)
                process.send_signal(signal.SIGINT)
                said = process.stderr.read()
            self.assertEqual(process.wait(timeout=100), 128 + signal.SIGINT, said)
            self.assertIn("stopped before the first round ended: there is no model", said)
            self.assertFalse(model.exists())
            self.assertLess(processor_seconds() - began, 10)  # including reading and binning; the round takes many minutes

    def assert_announced(self, *arguments):
        process = subprocess.Popen([PODIUM, *map(str, arguments), "--ties", "expected"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        with process.stderr:
            said = next(line for line in process.stderr if "equal scores" in line)
        process.kill()
        process.wait()
        self.assertRegex(said, r"note: IPrec11 of up to 20,000 documents with equal scores: about \d+ (hours|days); --ties stable")
        quick = podium(*arguments, "--ties", "stable")
        self.assertEqual(quick.returncode, 0, quick.stderr)
        self.assertNotIn("equal scores", quick.stderr)

    def test_slow_measures_of_equal_scores_are_announced(self):
        data = self.long_list(20000)
        scores = self.path("scores.txt", "0\n" * 20000)
        self.assert_announced("eval", "--data", data, "--scores", scores, "--measures", "IPrec11")

    def test_slow_measures_of_a_run_with_equal_scores_are_announced(self):
        qrels = self.path("qrels.txt", "".join(f"1 0 d{i} {i % 2}\n" for i in range(20000)))
        run = self.path("run.txt", "".join(f"1 Q0 d{i} {i + 1} 0 r\n" for i in range(20000)))
        self.assert_announced("eval", "--qrels", qrels, "--run", run, "--measures", "IPrec11")

    def test_an_evaluation_that_takes_minutes_ends_at_once(self):
        data = self.long_list(20000)
        scores = self.path("scores.txt", "0\n" * 20000)
        code, used = self.interrupted("reading", "eval", "--data", data, "--scores", scores, "--measures", "IPrec11")
        self.assertEqual(code, -signal.SIGINT)
        self.assertLess(used, 15)
