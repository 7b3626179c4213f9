"""cmake --install into a prefix, and the examples built against it with find_package alone.

Environment variables: PODIUM_BUILD (the build folder), PODIUM_SOURCE."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from install_support import build_examples, make_data, run, values

BUILD, SOURCE = (pathlib.Path(os.environ[name]) for name in ("PODIUM_BUILD", "PODIUM_SOURCE"))
FOLDER = BUILD / "install_test"
PREFIX = FOLDER / "prefix"


def services_scores(program, model, queries):
    """The answers of the scoring service: a list of lines per query."""
    return [answer.split("\n") for answer in run(program, model, stdin="\n\n".join(queries) + "\n\n").split("\n\n")[:-1]]


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir()
        run("cmake", "--install", BUILD, "--prefix", PREFIX)
        build_examples(SOURCE / "examples/cpp", FOLDER / "examples", f"-DCMAKE_PREFIX_PATH={PREFIX}")
        cls.podium = PREFIX / "bin/podium"
        cls.train, cls.valid, cls.test = make_data(cls.podium, FOLDER)

    def example(self, name, *arguments):
        return run(FOLDER / "examples" / name, *arguments)

    def evaluated(self, *system):
        report = json.loads(run(self.podium, "eval", "--data", self.test, *system, "--measures", "nDCG@10,AP,RR", "--json"))
        return report["results"][0]["measures"]

    def test_headers_include_only_what_is_installed(self):
        # tools/lint compiles each header alone.
        headers = sorted((PREFIX / "include/podium").glob("*.h"))
        self.assertGreater(len(headers), 25)
        for header in headers:
            for name in re.findall(r'^#include ["<](podium/.*)[">]', header.read_text(), re.MULTILINE):
                self.assertTrue((PREFIX / "include" / name).is_file(), f"{header.name} includes {name}")
            self.assertNotRegex(header.read_text(), '#include "(?!podium/)')

    def test_versions_agree(self):
        header = (PREFIX / "include/podium/version.h").read_text()
        version = re.search(r'PODIUM_VERSION "(.*)"', header)[1]
        numbers = [re.search(rf"PODIUM_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH")]
        self.assertEqual(version, ".".join(numbers))
        self.assertEqual(run(self.podium, "--version").splitlines()[0], f"podium {version}")

    def test_other_versions_are_refused(self):
        for version, fits in (("0.1", True), ("0.1.0", True), ("0.2", False), ("1.0", False)):
            project = FOLDER / f"wants_{version}"
            project.mkdir(exist_ok=True)
            (project / "CMakeLists.txt").write_text(
                f"cmake_minimum_required(VERSION 3.16)\nproject(wants CXX)\nfind_package(podium {version} REQUIRED)\n"
                "if(NOT TARGET podium::podium OR NOT TARGET podium::podium_c)\n  message(FATAL_ERROR missing)\nendif()\n")
            result = subprocess.run(["cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={PREFIX}"], capture_output=True)
            self.assertEqual(result.returncode == 0, fits, version)

    def test_scoring_from_c(self):
        # In a project without C++.
        project, model = FOLDER / "scores_in_c", FOLDER / "linear_for_c.json"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.16)\nproject(scores C)\nfind_package(podium 0.1 REQUIRED)\n"
            f"add_executable(score {SOURCE}/examples/c/score.c)\ntarget_link_libraries(score PRIVATE podium::podium_c)\n")
        run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={PREFIX}")
        run("cmake", "--build", project / "build")
        run(self.podium, "train", "linear", "--data", self.train, "--model", model, "--quiet")
        rows = [line.split("#")[0].split()[2:] for line in self.test.read_text().splitlines()]
        dense = "\n".join(" ".join(dict(word.split(":") for word in row).get(str(f), "0") for f in range(1, 9)) for row in rows)
        scores = [float(line) for line in run(project / "build/score", model, stdin=dense).splitlines()]
        expected = [float(line) for line in run(self.podium, "score", "--model", model, "--data", self.test).splitlines()]
        self.assertEqual(scores, expected)

    def test_train_evaluate_save(self):
        # The example prints the same values as the program for the model that the example saved.
        for learner in ("lambdamart", "svm-map"):
            model = FOLDER / f"{learner}.json"
            printed = values(self.example("train", self.train, self.valid, self.test, model, learner))
            found = self.evaluated("--model", model)
            self.assertEqual(set(printed), set(found))
            for name, value in found.items():
                self.assertAlmostEqual(printed[name], value, places=6)
            by_program = FOLDER / f"{learner}_by_program.json"
            run(self.podium, "train", learner, "--data", self.train, "--valid", self.valid, "--model", by_program, "--quiet")
            self.assertEqual(json.loads(model.read_text())["model"], json.loads(by_program.read_text())["model"])

    def test_own_loss(self):
        printed = self.example("own_loss", self.train, self.test)
        self.assertRegex(printed, r"cost\texists")
        self.assertRegex(printed, r"convex\tyes")
        zeros = FOLDER / "zeros.txt"
        zeros.write_text("0\n" * len(self.test.read_text().splitlines()))
        chance = self.evaluated("--scores", zeros)["nDCG@10"]
        self.assertGreater(values(printed)["nDCG@10"], chance + 0.1)

    def test_scoring_service(self):
        model = FOLDER / "served.json"
        run(self.podium, "train", "lambdamart", "--data", self.train, "--model", model, "--quiet")
        queries = {}
        for line in self.test.read_text().splitlines():
            words = line.split("#")[0].split()
            queries.setdefault(words[1], []).append(" ".join(words[2:]))
        answers = services_scores(FOLDER / "examples/scoring_service", model, ["\n".join(rows) for rows in queries.values()])
        scores = [float(line) for answer in answers for line in answer]
        expected = [float(line) for line in run(self.podium, "score", "--model", model, "--data", self.test).splitlines()]
        self.assertEqual(scores, expected)

    def test_service_survives_errors(self):
        model = FOLDER / "linear.json"
        run(self.podium, "train", "linear", "--data", self.train, "--model", model, "--quiet")
        answers = services_scores(FOLDER / "examples/scoring_service", model, ["1:1\n9:1", "1:x", "2", "1:1\n1:1"])
        self.assertEqual([answer[0].split(":")[0] for answer in answers[:3]], ["error"] * 3)
        self.assertEqual(len(answers[3]), 2)
        self.assertEqual(answers[3][0], answers[3][1])

    def test_only_names_of_podium_are_exported(self):
        library = PREFIX / "lib/libpodium.so"
        names = run("nm", "-D", "--defined-only", "-C", library).splitlines()
        foreign = [name for name in names if "podium" not in name]
        self.assertEqual(foreign, [])
        self.assertTrue(any("podium::learners()" in name for name in names))


if __name__ == "__main__":
    unittest.main()
