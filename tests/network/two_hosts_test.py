"""Two hosts on one machine: network namespaces joined by a cable (veth), with one rank each.

They train over TCP and find the same model as one process; when the cable is cut during training, the job
ends with a one-line error and a checkpoint from which training can resume, and mpirun and its daemon end too,
long before TCP gives up the connection. Needs root, `ip` and mpirun.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PODIUM = os.environ["PODIUM"]
AGENT = pathlib.Path(__file__).resolve().parent / "enter_host"


def sh(*words):
    subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True)


class Hosts:
    """podium-a and podium-b, 10.213.77.1 and .2; the name of a host is its address."""
    ADDRESSES = {"podium-a": "10.213.77.1", "podium-b": "10.213.77.2"}

    def __init__(self):
        self.jobs = []

    def __enter__(self):
        self.__exit__()
        for host in self.ADDRESSES:
            sh("ip", "netns", "add", host)
        sh("ip", "link", "add", "cable", "netns", "podium-a", "type", "veth", "peer", "name", "cable",
           "netns", "podium-b")
        for host, address in self.ADDRESSES.items():
            sh("ip", "-n", host, "addr", "add", address + "/24", "dev", "cable")
            sh("ip", "-n", host, "link", "set", "lo", "up")
            sh("ip", "-n", host, "link", "set", "cable", "up")
            # The number of unanswered attempts after which a connection is lost: a quarter of an hour, the default.
            sh("ip", "netns", "exec", host, "sh", "-c", "echo 15 > /proc/sys/net/ipv4/tcp_retries2")
        return self

    def processes(self):
        """{host: [process]} of processes that are still running."""
        def ids(host):
            return subprocess.run(["ip", "netns", "pids", host], capture_output=True, text=True).stdout.split()
        return {host: ids(host) for host in self.ADDRESSES if ids(host)}

    def __exit__(self, *_):
        for pids in self.processes().values():
            for pid in pids:
                subprocess.run(["kill", "-KILL", pid], capture_output=True)
        for host in self.ADDRESSES:
            subprocess.run(["ip", "netns", "del", host], capture_output=True)
        for job in self.jobs:
            job.communicate()
        self.jobs.clear()

    def cut_cable(self):
        sh("ip", "-n", "podium-a", "link", "set", "cable", "down")

    def mpirun(self, *arguments):
        """Started on podium-a: rank 0 there, rank 1 on podium-b, everything between them over the cable."""
        environment = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
        settings = {"plm_rsh_agent": AGENT, "btl": "tcp,self", "btl_tcp_if_include": "cable",
                    "oob_tcp_if_include": "cable"}
        command = [AGENT, self.ADDRESSES["podium-a"], "mpirun", "-n", 2, "--map-by", "node", "--host",
                   ",".join(address + ":1" for address in self.ADDRESSES.values())]
        for name, value in settings.items():
            command += ["--mca", name, value]
        job = subprocess.Popen([str(word) for word in [*command, PODIUM, *arguments]], env=environment,
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.jobs.append(job)
        return job


class TwoHostsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("mpirun"):
            sys.exit("two_hosts_test: needs root, ip (iproute2) and mpirun")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.hosts = Hosts()
        self.addCleanup(self.hosts.__exit__)
        self.hosts.__enter__()
        sh(PODIUM, "synth", "--queries", 400, "--docs", 20, "--features", 30, "-o", self.folder / "data.txt",
           "--quiet")

    def training(self, learner, model, *options):
        return ["train", learner, "--data", self.folder / "data.txt", "--model", self.folder / model,
                "--threads", 1, *options]

    def test_two_hosts_find_the_model_of_one_process(self):
        for learner, options in {"lambdamart": ["--trees", 20], "ranksvm": []}.items():
            with self.subTest(learner=learner):
                sh(PODIUM, *self.training(learner, "alone.json", *options))
                job = self.hosts.mpirun(*self.training(learner, "two.json", *options))
                _, errors = job.communicate(timeout=120)
                self.assertEqual(job.returncode, 0, errors)
                self.assertTrue((self.folder / "alone.json").read_bytes() ==
                                (self.folder / "two.json").read_bytes())

    def test_a_cut_cable_ends_with_a_checkpoint_to_resume_from(self):
        options = ["--trees", 400, "--learning-rate", 0.03]
        sh(PODIUM, *self.training("lambdamart", "alone.json", *options))
        job = self.hosts.mpirun(*self.training("lambdamart", "cut.json", *options, "--rank-timeout", 5,
                                               "--checkpoint-seconds", 0.05, "--progress", "json"))
        for line in job.stderr:
            if '"iteration":20,' in line:
                break
        self.hosts.cut_cable()
        began = time.monotonic()
        lines = []
        for line in job.stderr:
            lines.append(line)
            if "podium: error:" in line:
                break
        self.assertLess(time.monotonic() - began, 30)
        self.assertRegex(lines[-1], r"^podium: error: rank 1 of 2 has not answered for 5 s: is its machine "
                                    r"still running\? Training can be resumed from \S*cut.json.checkpoint with --resume$")
        _, errors = job.communicate(timeout=30)
        self.assertNotEqual(job.returncode, 0)
        self.assertNotIn("podium: error:", errors)
        while self.hosts.processes() and time.monotonic() - began < 40:
            time.sleep(0.1)
        self.assertEqual(self.hosts.processes(), {}, "processes that outlive the job")
        self.assertFalse((self.folder / "cut.json").exists())

        sh(PODIUM, *self.training("lambdamart", "cut.json", *options, "--resume"))
        self.assertTrue((self.folder / "alone.json").read_bytes() == (self.folder / "cut.json").read_bytes())


if __name__ == "__main__":
    unittest.main()
