"""serve: a results folder or models over HTTP, until a signal stops it."""
import json
import os
import signal
import socket
import subprocess
import time
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

    def test_json_has_the_address(self):
        _, line = self.start("--json")
        self.assertRegex(json.loads(line)["url"], r"^http://127\.0\.0\.1:\d+/$")

    def test_bad_arguments(self):
        self.assert_fails(1, "is not a folder; `podium compare -o DIR` creates one", "serve", self.folder / "none")
        self.assert_fails(2, "RESULTS", "serve")
        self.assert_fails(2, "--port", "serve", self.folder, "--port", 70000)


class ServeModelTest(CliTest):
    def setUp(self):
        super().setUp()
        self.data = self.synth()
        self.model = self.folder / "linear.json"
        self.train(self.model)

    def train(self, model, *more):
        self.run_ok("train", "linear", "--data", self.data, "--model", model, "--quiet", *more)

    def start(self, *more, environment=None):
        process = subprocess.Popen([PODIUM, "serve", "--port", "0", *map(str, more)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, env={**os.environ, **(environment or {})})
        self.addCleanup(process.communicate)
        self.addCleanup(process.terminate)
        return process, process.stdout.readline().strip()

    def ask(self, url, body=None, kind="application/json", token=None):
        """The status and the answer."""
        headers = {"Content-Type": kind} | ({"Authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(url, data=body.encode() if body is not None else None, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return error.code, json.load(error)

    def first_query(self):
        return "".join(line for line in self.data.read_text().splitlines(keepends=True) if " qid:1 " in line)

    def test_interleaves_two_models(self):
        other = self.folder / "other.json"
        self.run_ok("train", "feature", "--data", self.data, "--features", "2", "--model", other, "--quiet")
        self.assert_fails(2, "--interleave needs two models", "serve", "--interleave", self.model)
        self.assert_fails(2, "--interleave needs two different models", "serve", "--interleave", f"{self.model},{self.model}")
        _, url = self.start("--interleave", f"{self.model},{other}", "--seed", 3)
        lines = [line for line in self.data.read_text().splitlines() if "qid:1 " in line]

        def lists(**keys):
            parameters = "&".join(f"{key}={value}" for key, value in keys.items())
            return self.ask(f"{url}v1/interleave?{parameters}", "\n".join(lines), "text/plain")

        owners = []
        for session in range(40):
            status, answer = lists(session=f"s{session}", query="q", limit=4)
            self.assertEqual(status, 200)
            self.assertEqual((answer["a"], answer["b"], answer["query"], answer["seed"]), ("linear", "other", "q", 3))
            documents = answer["documents"]
            self.assertEqual([d["rank"] for d in documents], [1, 2, 3, 4])
            self.assertEqual(len({d["index"] for d in documents}), 4)
            self.assertEqual(sum(d["owner"] == "a" for d in documents), 2)
            owners.append(documents[0]["owner"])
            best = self.ask(f"{url}v1/rank?model={dict(a='linear', b='other')[owners[-1]]}&limit=1", "\n".join(lines), "text/plain")
            self.assertEqual(best[1]["documents"][0]["index"], documents[0]["index"])
        self.assertEqual(set(owners), {"a", "b"})
        self.assertEqual(lists(session="s1", query="q"), lists(session="s1", query="q"))
        self.assertEqual(lists(session="s1")[0], 400)
        self.assertEqual(lists(session="s1", query="q", model="linear")[0], 400)
        _, plain = self.start("--model", self.model)
        self.assertEqual(self.ask(plain + "v1/interleave?session=s&query=q", "\n".join(lines), "text/plain")[0], 404)

    def test_large_requests_are_scored_on_the_device(self):
        trees, data = self.folder / "trees.json", self.folder / "many.txt"
        self.run_ok("synth", "--queries", 30, "--seed", 3, "-o", data, "--quiet")
        self.run_ok("train", "lambdamart", "--data", self.data, "--trees", 20, "--model", trees, "--quiet")
        expected = [float(x) for x in self.run_ok("score", "--model", trees, "--data", data, "--quiet").split()]
        self.assertGreaterEqual(len(expected), 1024)
        lines = "\n".join("1 qid:1 " + line.split(" ", 2)[2] for line in data.read_text().splitlines())
        process, url = self.start("--model", trees, "--model", self.model, "--device", "emulated")
        self.assertEqual(self.ask(url + "v1/score", lines, "text/plain"), (200, {"model": "trees", "scores": expected}))
        process.terminate()
        self.assertIn("model linear: is scored on the CPU, as it has no trees, or normalizes features", process.stderr.read())
        self.assert_fails(2, "--device needs --model", "serve", self.folder, "--device", "emulated")
        self.assert_fails(2, "there is no device 'tpu'", "serve", "--model", trees, "--device", "tpu")

    def test_scores_as_podium_score_does(self):
        lines = self.first_query()
        query = self.path("query.txt", lines)
        expected = [float(x) for x in self.run_ok("score", "--model", self.model, "--data", query, "--quiet").split()]
        process, url = self.start("--model", self.model)
        status, answer = self.ask(url + "v1/score", lines, "text/plain")
        self.assertEqual((status, answer["model"]), (200, "linear"))
        self.assertEqual(answer["scores"], expected)
        rows = [dict(pair.split(":") for pair in line.split("#")[0].split()[2:]) for line in lines.splitlines()]
        documents = [{"features": {name: float(value) for name, value in row.items()}} for row in rows]
        status, answer = self.ask(url + "v1/score", json.dumps({"documents": documents}))
        self.assertEqual((status, answer["scores"]), (200, expected))
        status, answer = self.ask(url + "v1/explain", lines, "text/plain")
        for document in answer["documents"]:
            total = document["base"] + document["others"] + sum(c["contribution"] for c in document["contributions"])
            self.assertAlmostEqual(total, expected[document["index"]], places=9)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=30), 0)

    def test_several_models_token_and_limits(self):
        other = self.folder / "other.json"
        self.train(other, "--l2", "5")
        _, url = self.start("--model", self.model, "--model", f"second={other}", "--max-documents", 3, "--max-body", 5000,
                            "--quiet", environment={"PODIUM_TOKEN": "secret"})
        self.assertEqual(self.ask(url + "v1/model")[0], 401)
        _, models = self.ask(url + "v1/model", token="secret")
        self.assertEqual([m["name"] for m in models["models"]], ["linear", "second"])
        line = "0 1:1\n"
        first, second = (self.ask(url + f"v1/score?model={name}", line, "text/plain", "secret")[1]["scores"]
                         for name in ("linear", "second"))
        self.assertNotEqual(first, second)
        self.assertEqual(self.ask(url + "v1/score", line * 4, "text/plain", "secret")[0], 400)
        self.assertEqual(self.ask(url + "v1/score", "#" * 5001, "text/plain", "secret")[0], 413)
        self.assertEqual(self.ask(url + "v1/score?model=third", line, "text/plain", "secret")[0], 404)

    def test_a_broken_file_keeps_the_old_model_with_a_message(self):
        process, url = self.start("--model", self.model)
        before = self.ask(url + "v1/score", "0 1:1\n", "text/plain")
        self.model.write_text("broken")
        deadline = time.monotonic() + 30
        while self.ask(url + "v1/model")[1]["models"][0]["problem"] is None and time.monotonic() < deadline:
            pass
        self.assertIn("linear.json", self.ask(url + "v1/model")[1]["models"][0]["problem"])
        self.assertEqual(self.ask(url + "v1/score", "0 1:1\n", "text/plain"), before)
        process.terminate()
        _, said = process.communicate(timeout=30)
        self.assertIn("model linear: the old one is kept, ", said)

    def test_bad_arguments(self):
        self.assert_fails(2, "RESULTS", "serve", self.folder, "--model", self.model)
        self.assert_fails(2, "two models are called linear", "serve", "--model", self.model, "--model", self.model)
        self.assert_fails(1, "none.json: cannot be opened", "serve", "--model", self.folder / "none.json")
        self.assert_fails(2, "--token", "serve", "--model", self.model, "--token", "a b")
        self.assert_fails(2, "--max-body", "serve", "--model", self.model, "--max-body", 0)
        self.assert_fails(2, "--host 256.0.0.1: no such address", "serve", "--model", self.model, "--host", "256.0.0.1")
        for option in ("--keep-alive", "--timeout", "--max-features"):
            self.assert_fails(2, option, "serve", "--model", self.model, option, 0)

    def test_a_port_in_use_is_not_a_usage_error(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            self.assert_fails(1, "the port is taken; --port 0 finds a free one", "serve", "--model", self.model,
                              "--port", port)

    def test_idle_connections_follow_the_options(self):
        for options in (("--timeout", 0.2), ("--timeout", 60, "--keep-alive", 0.2)):
            process, url = self.start("--model", self.model, "--quiet", *options)
            host, port = url[len("http://"):-1].split(":")
            with socket.create_connection((host, int(port)), timeout=30) as client:
                client.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                answer = b""
                while part := client.recv(4096):  # until the server closes
                    answer += part
                self.assertIn(b"200 OK", answer)
            process.terminate()
            self.assertEqual(process.wait(timeout=30), 0)


if __name__ == "__main__":
    unittest.main()
