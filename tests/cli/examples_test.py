"""The examples that are programs of the shell."""
import os
import pathlib
import subprocess
import unittest

from support import PODIUM, CliTest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


class ShopTest(CliTest):
    def test_shop(self):
        path = os.pathsep.join([os.path.dirname(os.path.abspath(PODIUM)), os.environ["PATH"]])
        result = subprocess.run([EXAMPLES / "shop/run.sh", self.folder / "shop", "60"], capture_output=True, text=True, timeout=300,
                                env={**os.environ, "PATH": path})
        self.assertEqual(result.returncode, 0, result.stderr)
        for name in ("linear", "trees", "clicks"):
            self.assertTrue((self.folder / f"shop/{name}.json").exists())


if __name__ == "__main__":
    unittest.main()
