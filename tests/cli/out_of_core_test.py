"""Training on a memory-mapped .podium file: memory of half its size is enough."""
import os
import resource
import subprocess
import unittest

from support import PODIUM, CliTest

# A few rounds of every learner that stores something per document and feature.
LEARNERS = {
    "lambdamart": ["--trees", "3", "--leaves", "8"],
    "rankboost": ["--rounds", "3"],
    "directrank": ["--restarts", "1", "--starts", "", "--kicks", "0", "--max-rounds", "1"],
    "adarank": ["--rounds", "3"],
    "coordinate-ascent": ["--restarts", "1", "--max-passes", "1", "--steps", "1"],
    "ranksvm": ["--C", "1", "--max-passes", "5"],
    "ranknet": ["--epochs", "2"],
}


class OutOfCoreTest(CliTest):
    def train(self, learner, model, limit=None):
        """With a limit on memory that is not mapped from a file."""
        def bound():
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

        return subprocess.run(
            [PODIUM, "train", learner, *LEARNERS[learner], "--data", self.data, "--model", model,
             "--threads", "1", "--quiet"],
            preexec_fn=bound if limit else None, capture_output=True, text=True, timeout=500,
            env={**os.environ, "TMPDIR": str(self.folder)})

    def test_memory_of_half_the_data_is_enough(self):
        self.data = self.path("data.podium")
        self.run_ok("synth", "--preset", "mslr", "--queries", "1400", "-o", self.data)
        size = self.data.stat().st_size
        self.assertGreater(size, 80e6)
        files = sorted(os.listdir(self.folder))
        for learner in LEARNERS:
            with self.subTest(learner):
                models = [self.path("free.json"), self.path("bound.json")]
                for model, limit in zip(models, [None, size // 2]):
                    result = self.train(learner, model, limit)
                    self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(models[0].read_bytes(), models[1].read_bytes())
                for model in models:
                    model.unlink()
                self.assertEqual(sorted(os.listdir(self.folder)), files)


if __name__ == "__main__":
    unittest.main()
