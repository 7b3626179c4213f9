# The commands of the project. Each installs what it needs first (tools/setup).
PRESET_FLAGS := $(if $(CI),-DPODIUM_WERROR=ON)
JOBS := $(shell nproc)
FUZZ_SECONDS ?= 6
# One more than there are cores: some tests wait for a browser, a server or mpirun.
TESTS_AT_ONCE := $(shell expr $(JOBS) + 1)

.PHONY: build demo gpu-tools test test-release test-gpu bench-gpu test-asan test-asan-all test-tsan test-kill test-python docs test-docs test-consumers test-engines test-network test-package package wheels sdist test-wheels test-sdist image test-image test-clone fuzz recipes soak bench bench-check bench-baseline bench-peers format lint setup setup-test clean

build: setup
	cmake --preset release $(PRESET_FLAGS) -DPODIUM_TESTS=OFF -DPODIUM_BENCHMARKS=OFF
	cmake --build build/release -j $(JOBS)

# The compiler for GPU kernels, into build/cuda; builds after this have GPU support (docs/guide/gpu.md).
gpu-tools:
	@tools/gpu_tools

demo: build
	tools/demo build/release/podium build/demo

test: setup-test gpu-tools
	tools/check_layers.py
	tools/check_format
	$(MAKE) --no-print-directory test-release bench-check test-asan fuzz test-python

test-release:
	cmake --preset release $(PRESET_FLAGS) -DPODIUM_TESTS=ON -DPODIUM_BENCHMARKS=OFF
	cmake --build build/release -j $(JOBS)
	ctest --test-dir build/release --output-on-failure -j $(TESTS_AT_ONCE)

# The tests of code that reads input or manages memory by hand, with address and undefined-behaviour checks. The fuzz
# targets are in the same build; all other folders are compiled without checks (cmake/flags.cmake). A thousand replications
# (Coverage) manage no more memory than one.
test-asan:
	cmake --preset sanitized $(PRESET_FLAGS)
	cmake --build build/sanitized -j $(JOBS) --target memory_tests
	ctest --test-dir build/sanitized --output-on-failure -j $(JOBS) -L memory -E '[.]Coverage[.]'

# All unit tests with these checks.
test-asan-all: setup-test
	cmake --preset sanitized-all $(PRESET_FLAGS)
	cmake --build build/sanitized-all -j $(JOBS) --target unit_tests
	ctest --test-dir build/sanitized-all --output-on-failure -j $(JOBS) -L unit

test-tsan: setup-test
	cmake --preset tsan $(PRESET_FLAGS)
	cmake --build build/tsan -j $(JOBS) --target unit_tests
	ctest --test-dir build/tsan --output-on-failure -j $(JOBS) -L unit

# On a machine with a GPU: the same tests and bytes with --device cuda, and under compute-sanitizer where it is installed.
test-gpu: setup-test gpu-tools
	cmake --preset release $(PRESET_FLAGS) -DPODIUM_TESTS=ON -DPODIUM_BENCHMARKS=OFF
	cmake --build build/release -j $(JOBS)
	tests/gpu/run build/release

# On a machine with a GPU: Podium on CPU and GPU beside XGBoost, CatBoost and LightGBM, in one run. GPU passes options.
bench-gpu: build gpu-tools
	@tools/setup peers
	benchmarks/gpu/run $(CURDIR)/build/release/podium build/gpu $(GPU)

# Kills one training run of each kind at 20 random moments, on synthetic data and on real data (PODIUM_DATA).
test-kill: build
	cd tests/cli && PODIUM=$(CURDIR)/build/release/podium PODIUM_KILLS=20 PYTHONDONTWRITEBYTECODE=1 \
	  python3 -m unittest -v resume_test.ResumeTest

# Tests the Python package in its own virtual environment.
test-python:
	@tools/setup build python
	tools/test_python

# Builds the documentation site in build/site; open it from there. Broken links are errors.
docs:
	@tools/setup docs
	tools/docs/build

# The site, and every code block and notebook of the docs.
test-docs: build docs
	@tools/setup test-docs
	tools/test_docs build/release/podium

# Exported models in LightGBM, treelite, XGBoost, shap, ONNX Runtime, RankLib and Solr, and models of these, of CatBoost
# and of converters to ONNX imported; the Python package beside XGBoost, CatBoost and shap. Downloads them the first time.
test-consumers: build
	@tools/setup consumers python
	tests/consumers/run $(CURDIR)/build/release/podium build/consumers

# Trains with mpi4py, torch, Dask, Ray and Spark on this machine and compares the models' bytes; downloads the engines the
# first time (several GB). ENGINES names some of them: mpi torch dask ray spark, and guide, the code blocks of the guide.
test-engines:
	@tools/setup build engines
	tests/engines/run build/engines $(ENGINES)

# Debian packages in build/release/packages: the program, the libraries with headers, man pages, shell completion.
package: build
	@tools/setup package
	cd build/release && cpack --config CPackConfig.cmake

# Tests the packages on a bare Debian 12 (debootstrap, chroot). Needs root and apt's mirror.
test-package: package
	@tools/setup package-test
	tests/package/run build/release/packages build/package_test

# Wheels in dist/ for CPython 3.11 and for 3.12 and later, with the program, the server and the report; manylinux_2_17.
wheels: setup gpu-tools
	@tools/setup wheels
	tools/wheels dist

# The source distribution in dist/: building it needs only a C++20 compiler.
sdist: build
	@tools/setup wheels
	tools/sdist dist

# Tests the wheels on bare systems without a compiler: Debian 12, 13 and 11. Needs root, and the mirrors of apt and pip.
test-wheels: build wheels
	@tools/setup wheels-test
	tests/wheels/run dist build/wheel_test build/release/podium

# Builds the source distribution with pip as an ordinary user on a bare Debian 12 that has only a compiler. Needs root to create that system.
test-sdist: sdist
	@tools/setup wheels-test
	tests/wheels/run_sdist dist build/wheel_test

# A small image with the program, from the wheel. Needs Docker.
image: wheels
	docker build -t podium -f packaging/docker/Dockerfile .

# Builds and tests the images; without a Docker engine by podman, as root.
test-image: build wheels
	@tools/setup image-test
	tests/image/run build/image_test

# The commands for a clone in the pages, on a bare Debian 12. Needs root, and the mirrors of apt, pip and npm. CLONE names some of the pages.
test-clone:
	@tools/setup clone-test
	tests/clone/run build/clone_test $(CLONE)

# Tests ranks on two and three "hosts" (network namespaces), also when the cable between them is cut. Needs root.
test-network: build
	@tools/setup network
	cd tests/network && PODIUM=$(CURDIR)/build/release/podium python3 -m unittest -v two_hosts_test three_hosts_test

# Every fuzz target for FUZZ_SECONDS, two at a time.
fuzz: setup-test
	cmake --preset sanitized $(PRESET_FLAGS)
	cmake --build build/sanitized -j $(JOBS) --target fuzz_targets
	tools/fuzz build/sanitized $(FUZZ_SECONDS)

# Reproduces the papers' tables: docs/results.md. Takes an hour or two; RECIPES names some of them.
recipes: build
	@tools/setup recipes
	PODIUM=$(CURDIR)/build/release/podium recipes/run build/recipes $(RECIPES)

# Runs the server under load from good and bad clients for ten minutes.
soak: build
	tools/soak build/release/podium --seconds 600

# Compares Podium with its peers, an hour or two: docs/benchmarks.md. PEERS passes options, e.g. --quick.
bench-peers: setup
	@tools/setup test peers
	cmake --preset release $(PRESET_FLAGS) -DPODIUM_TESTS=OFF -DPODIUM_BENCHMARKS=ON
	cmake --build build/release -j $(JOBS)
	benchmarks/peers/run $(CURDIR)/build/release/podium $(CURDIR)/build/release/benchmarks/line_search_benchmark build/peers $(PEERS)

# Instruction counts of the main kernels against benchmarks/guard/baseline.json, which bench-baseline rewrites.
bench-check bench-baseline: setup-test
	cmake --preset release $(PRESET_FLAGS) -DPODIUM_TESTS=ON -DPODIUM_BENCHMARKS=OFF
	cmake --build build/release -j $(JOBS) --target podium_guard
	benchmarks/guard/check.py build/release/benchmarks/guard/podium_guard $(if $(filter bench-baseline,$@),--update)

bench: setup-test
	cmake --preset release $(PRESET_FLAGS) -DPODIUM_TESTS=ON -DPODIUM_BENCHMARKS=ON
	cmake --build build/release -j $(JOBS)
	tools/bench build/release

format:
	tools/setup lint
	git ls-files '*.cc' '*.h' | xargs clang-format-14 -i

lint: setup-test
	tools/setup lint
	tools/lint build/lint

setup:
	@tools/setup build

setup-test:
	@tools/setup build test

clean:
	rm -rf build
