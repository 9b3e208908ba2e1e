# The main commands. Each installs missing packages, builds, and runs its task with CMake and the presets of
# CMakePresets.json.
JOBS ?= $(shell scripts/jobs)
BUILD = build/release
DEMO = results/demo

.PHONY: help build command demo gallery test fuzz format check-format packages
.DEFAULT_GOAL = help

help:
	@echo 'make demo          build the command, simulate two scenes, write pictures and videos to $(DEMO)'
	@echo 'make gallery       build, make the pictures of docs/gallery.md again'
	@echo 'make test          build and run all tests'
	@echo 'make fuzz          run the readers with damaged files, a minute each'
	@echo 'make build         build the library, the command $(BUILD)/bin/panta and the tests, with CUDA if there is a toolkit'
	@echo 'make format        format all sources'
	@echo 'make check-format  list the sources that are not formatted'

# The build works without the packages for pictures.
packages:
	@scripts/install-packages build
	@scripts/install-packages pictures || echo 'Continuing without them: pictures will be of lower quality.' >&2

build: packages
	@scripts/install-packages test
	cmake --preset release -DPANTA_TESTS=ON -DPANTA_CUDA=AUTO
	cmake --build --preset release --parallel $(JOBS)

# The command alone, in a few minutes: without the tests, and with CUDA only where a GPU is present.
command: packages
	cmake --preset release -DPANTA_TESTS=OFF -DPANTA_CUDA=$(shell scripts/cuda-for-command)
	@echo 'Building the command: about three minutes on two cores'
	cmake --build --preset release --parallel $(JOBS) --target panta_app

demo: command
	@scripts/install-packages video || echo 'Continuing without it: an animated picture instead of a video.' >&2
	scripts/demo $(BUILD)/bin/panta $(DEMO)

gallery: build
	@scripts/install-packages video
	scripts/gallery $(BUILD)/bin/panta

test: build
	ctest --preset release --parallel $(JOBS)

fuzz:
	@scripts/install-packages build fuzz
	scripts/fuzz

format:
	@scripts/install-packages format
	scripts/format

check-format:
	@scripts/install-packages format
	scripts/format --check
