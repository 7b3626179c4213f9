"""serve: a results folder over HTTP, until it is told to stop."""
import json
import signal
import subprocess
import unittest
import urllib.error
import urllib.request

from support import PODIUM, CliTest


class ServeTest(CliTest):
    def start(self, *more):
        process = subprocess.Popen([PODIUM, "serve", str(self.folder), "--port", "0", "--quiet", *more],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.terminate)
        line = process.stdout.readline()
        if not line and "this build has no report" in (error := process.stderr.read()):
            self.skipTest(error)
        return process, line.strip()

    def get(self, url):
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.read().decode()

    def test_serves_page_and_files_and_ends_with_success(self):
        self.path("results.json", '{"complete": true}')
        for signal_sent in (signal.SIGINT, signal.SIGTERM):
            process, url = self.start()
            self.assertRegex(url, r"^http://127\.0\.0\.1:\d+/$")
            self.assertIn('id="results">null<', self.get(url))
            self.assertEqual(self.get(url + "results.json"), '{"complete": true}')
            with self.assertRaises(urllib.error.HTTPError) as missing:
                self.get(url + "resources.json")
            self.assertEqual(missing.exception.code, 404)
            missing.exception.close()
            process.send_signal(signal_sent)
            self.assertEqual(process.wait(timeout=30), 0)

    def test_json_says_where(self):
        _, line = self.start("--json")
        self.assertRegex(json.loads(line)["url"], r"^http://127\.0\.0\.1:\d+/$")

    def test_bad_arguments(self):
        self.assert_fails(1, "is no folder; podium compare -o DIR makes one", "serve", self.folder / "none")
        self.assert_fails(2, "RESULTS", "serve")
        self.assert_fails(2, "--port", "serve", self.folder, "--port", 70000)


if __name__ == "__main__":
    unittest.main()
