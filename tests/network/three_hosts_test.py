"""The block of docs/guide/distributed.md for three machines, as it stands there, on three hosts: network namespaces a, b and c, joined by
a bridge in a fourth. Needs root, `ip` and mpirun."""
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

PODIUM = os.environ["PODIUM"]
HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HOSTS, SWITCH = ("a", "b", "c"), "podium-switch"


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


def remove_hosts():
    for host in (*HOSTS, SWITCH):
        subprocess.run(["ip", "netns", "del", host], capture_output=True)


class ThreeHostsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("mpirun"):
            sys.exit("three_hosts_test: needs root, ip (iproute2) and mpirun")

    def setUp(self):
        remove_hosts()
        self.addCleanup(remove_hosts)
        ip("netns", "add", SWITCH)
        ip("-n", SWITCH, "link", "add", "bridge", "type", "bridge")
        ip("-n", SWITCH, "link", "set", "bridge", "up")
        for number, host in enumerate(HOSTS, start=1):
            ip("netns", "add", host)
            ip("link", "add", "cable", "netns", host, "type", "veth", "peer", "name", f"to-{host}", "netns", SWITCH)
            ip("-n", SWITCH, "link", "set", f"to-{host}", "master", "bridge", "up")
            ip("-n", host, "addr", "add", f"10.213.78.{number}/24", "dev", "cable")
            ip("-n", host, "link", "set", "lo", "up")
            ip("-n", host, "link", "set", "cable", "up")

    def test_the_page_trains_on_three_hosts(self):
        environment = dict(os.environ, OMPI_MCA_plm_rsh_agent=str(HERE / "enter_host"), OMPI_MCA_btl="tcp,self",
                           OMPI_MCA_btl_tcp_if_include="cable", OMPI_MCA_oob_tcp_if_include="cable", PYTHONDONTWRITEBYTECODE="1")
        done = subprocess.run([sys.executable, ROOT / "tools/test_docs.py", PODIUM, "--only", "network", "--show", "--shell",
                               "ip netns exec a unshare --uts sh -c 'hostname a && exec bash \"$@\"' bash", "docs/guide/distributed.md"],
                              env=environment, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 run, 0 not", done.stdout)
        self.assertRegex(done.stdout, r"ranks\t3, ")


if __name__ == "__main__":
    unittest.main()
