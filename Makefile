# The commands a newcomer needs. Each installs what is missing, builds, and does its job; CMake and the
# presets of CMakePresets.json do the work.
JOBS ?= $(shell scripts/jobs)
BUILD = build/release
DEMO = results/demo

.PHONY: help build demo gallery test fuzz format check-format packages
.DEFAULT_GOAL = help

help:
	@echo 'make demo          build, simulate two scenes, leave pictures and videos in $(DEMO)'
	@echo 'make gallery       build, make the pictures of docs/gallery.md again'
	@echo 'make test          build and run all tests'
	@echo 'make fuzz          feed damaged files to the readers, a minute each'
	@echo 'make build         build the library and the command, $(BUILD)/bin/panta'
	@echo 'make format        format all sources'
	@echo 'make check-format  say which sources are not formatted'

# Without what pictures take, everything else still builds and works.
packages:
	@scripts/install-packages build test
	@scripts/install-packages pictures || echo 'Going on without: pictures will be plainer.' >&2

build: packages
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)

demo: build
	@scripts/install-packages video || echo 'Going on without: no video, but an animated picture.' >&2
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
