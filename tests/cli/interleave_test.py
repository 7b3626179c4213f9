"""interleave make and analyse: lists that can be made again, and verdicts that may be looked at any time."""
import random
import unittest

from support import CliTest, podium

DEPTH = 6


class InterleaveTest(CliTest):
    def setUp(self):
        super().setUp()
        self.lists, self.log = self.folder / "lists.tsv", self.folder / "log.tsv"
        topics = range(1, 21)
        # a ranks d1, d2, …; b ranks them backwards.
        self.a = self.run_file("a.run", topics, lambda d: 10 - d)
        self.b = self.run_file("b.run", topics, lambda d: d)
        self.runs = ("--runs", f"{self.a},{self.b}")

    def run_file(self, name, topics, score):
        lines = (f"{topic} Q0 d{d} 1 {score(d)} x" for topic in topics for d in range(1, 9))
        return self.path(name, "\n".join(lines) + "\n")

    def make(self, *options):
        return self.run_json("interleave", "make", *self.runs, "--depth", DEPTH, "-o", self.lists, *options)

    def rows(self):
        header, *lines = self.lists.read_text().splitlines()
        self.assertEqual(header, "session\tqid\tdocid\tposition\towner")
        return [line.split("\t") for line in lines]

    def clicks(self, probability, *, owners=True, seed=1):
        """A log in which a document is clicked with this probability of (number of the document)."""
        chance = random.Random(seed)
        lines = ["session\tqid\tdocid\tposition\tclick" + ("\towner" if owners else "")]
        for session, qid, docid, position, owner in self.rows():
            click = int(chance.random() < probability(int(docid[1:])))
            lines.append("\t".join([session, qid, docid, position, str(click)] + ([owner] if owners else [])))
        self.log.write_text("\n".join(lines) + "\n")

    def analyse(self, *options):
        return self.run_json("interleave", "analyse", "--clicks", self.log, *options)

    def test_lists_are_fair_and_can_be_made_again(self):
        for method in ("team-draft", "probabilistic"):
            report = self.make("--method", method, "--sessions", 50)
            self.assertEqual((report["sessions"], report["lines"]), (1000, 1000 * DEPTH))
            rows, text = self.rows(), self.lists.read_bytes()
            first = sum(owner == "a" for *_, position, owner in rows if position == "1")
            self.assertLess(abs(first - 500), 80)  # five standard deviations
            self.make("--method", method, "--sessions", 50, "--threads", 1)
            self.assertEqual(self.lists.read_bytes(), text)
            self.make("--method", method, "--sessions", 50, "--seed", 2)
            self.assertNotEqual(self.lists.read_bytes(), text)
        some = self.path("some.csv", "qid,session\n3,x\n3,y\n7,x\n")
        self.make("--session-list", some)
        self.assertEqual([row[:2] for row in self.rows()[::DEPTH]], [["x", "3"], ["y", "3"], ["x", "7"]])

    def test_the_better_run_wins(self):
        self.make("--sessions", 50)
        self.clicks(lambda d: 0.8 if d <= 2 else 0.1)
        verdict = self.analyse()
        self.assertEqual(verdict["sessions"], verdict["a_wins"] + verdict["b_wins"] + verdict["ties"])
        self.assertGreater(verdict["preference"], 0.2)
        self.assertLess(verdict["interval"][0], verdict["preference"])
        self.assertGreater(verdict["interval"][0], 0)
        self.assertLess(verdict["sequential_p"], 1e-4)
        self.assertLess(verdict["decided_after"], 500)
        self.assertIn("# a is preferred at level 0.05; decided after ", self.run_ok("interleave", "analyse", "--clicks", self.log))

    def test_chance_is_no_preference(self):
        wrong = 0
        for seed in range(1, 21):
            self.make("--sessions", 10, "--seed", seed)
            self.clicks(lambda d: 0.3, seed=seed)
            verdict = self.analyse()
            wrong += verdict["decided_after"] is not None
            self.assertLess(abs(verdict["preference"]), 0.25)
        self.assertLessEqual(wrong, 4)  # at most 5 % each: five or more have a probability of 0.3 %

    def test_owners_are_found_again(self):
        self.make("--sessions", 5, "--seed", 9)
        self.clicks(lambda d: 0.5)
        with_owners = self.analyse("--seed", 9)
        self.assertEqual(self.analyse(*self.runs, "--seed", 9), with_owners)
        self.clicks(lambda d: 0.5, owners=False)
        self.assertEqual(self.analyse(*self.runs, "--seed", 9), with_owners)
        analyse = ("interleave", "analyse", "--clicks", self.log)
        self.assert_fails(1, "log.tsv:1: the header has no column 'owner'", *analyse)
        self.assert_fails(1, r"log.tsv:\d+: '.*' belongs at position .*--seed", *analyse, *self.runs, "--seed", 8)

    def test_scattered_sessions_are_noted(self):
        log = self.path("s.tsv", "session\tqid\tdocid\tposition\tclick\towner\n" + "".join(
            f"{session}\tq\td{position}\t{position}\t1\ta\n" for position in (1, 2) for session in "xy"))
        result = podium("interleave", "analyse", "--clicks", log)
        self.assertIn("2 sessions are not contiguous", result.stderr)
        self.assertIn("4 sessions of 1 query", result.stdout)

    def test_clocks_and_robots(self):
        header = "session\tqid\tdocid\tposition\tclick\ttime\towner\n"

        def session(name, time, clicks, last=None):
            return "".join(f"{name}\tq\td{p}\t{p}\t{int(p <= clicks)}\t{last if last and p == 1 else time}\t{'ab'[p % 2]}\n"
                           for p in range(1, 6))

        analyse = ("interleave", "analyse", "--clicks", self.log)
        self.log.write_text(header + session("x", "2026-01-01T00:00:05Z", 1, "2026-01-01T00:00:09Z") + session("y", "2026-01-01T00:00:07Z", 5)
                            + session("z", "2026-01-01T00:00:08+00:00", 1))
        result = podium(*analyse)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 session clicked each of 5 or more documents, as robots do; --max-clicks drops them", result.stderr)
        self.assertEqual((self.analyse()["sessions"], self.analyse()["all_clicked"]), (3, 1))
        result = podium(*analyse, "--max-clicks", 3)
        self.assertIn("1 session with more than 3 clicks dropped", result.stderr)
        self.assertEqual((self.analyse("--max-clicks", 3)["sessions"], self.analyse("--max-clicks", 3)["bots"]), (2, 1))
        self.log.write_text(header + session("x", 5, 1) + session("y", 4, 1))
        self.assert_fails(1, "log.tsv:7: the time runs backwards: session 'y' begins before the one above", *analyse)
        self.log.write_text(header + session("x", 5, 0) + session("y", 5, 0))
        self.assertIn("the log has no clicks", podium(*analyse).stderr)

    def test_wrong_use(self):
        self.assert_fails(2, "--runs needs two runs", "interleave", "make", "--runs", self.a, "-o", self.lists)
        other = self.run_file("c.run", range(30, 32), lambda d: d)
        self.assert_fails(1, "no topic in common", "interleave", "make", "--runs", f"{self.a},{other}", "-o", self.lists)
        some = self.path("some.tsv", "session\tqid\nx\t99\n")
        self.assert_fails(1, "query '99' of session 'x' is not in both runs", "interleave", "make", *self.runs,
                          "--session-list", some, "-o", self.lists)
        self.assert_fails(2, "--method needs --runs", "interleave", "analyse", "--clicks", self.log, "--method", "team-draft")
        header = "session\tqid\tdocid\tposition\tclick\towner\n"
        for line, message in (("x\tq\td\t1\t1\tc\n", "log.tsv:2: the owner 'c' is neither a nor b"),
                              ("x\tq\td\t1\t1\ta\nx\tq\te\t1\t1\ta\n", "log.tsv:3: position 1 occurs twice"),
                              ("x\tq\td\t1\t1\ta\nx\tq\td\t2\t1\ta\n", "log.tsv:3: document 'd' is shown twice"),
                              ("", "log.tsv: the click log has no lines")):
            self.log.write_text(header + line)
            self.assert_fails(1, message, "interleave", "analyse", "--clicks", self.log)


if __name__ == "__main__":
    unittest.main()
