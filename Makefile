# The commands a newcomer needs. Each installs what is missing, builds, and does its job; CMake and the
# presets of CMakePresets.json do the work.
JOBS ?= $(shell scripts/jobs)
BUILD = build/release
DEMO = results/demo

.PHONY: help build demo test fuzz format check-format packages
.DEFAULT_GOAL = help

help:
	@echo 'make demo          build, simulate a breaking dam, leave pictures in $(DEMO)'
	@echo 'make test          build and run all tests'
	@echo 'make fuzz          feed damaged files to the readers, a minute each'
	@echo 'make build         build the library and the command, $(BUILD)/bin/panta'
	@echo 'make format        format all sources'
	@echo 'make check-format  say which sources are not formatted'

packages:
	@scripts/install-packages build test

build: packages
	cmake --preset release
	cmake --build --preset release --parallel $(JOBS)

demo: build
	$(BUILD)/bin/panta run scenes/basics/dam_break.json --out $(DEMO) --overwrite
	$(BUILD)/bin/panta render $(DEMO)
	@echo
	@echo 'Moving water:           $(DEMO)/preview.png (an animated picture: open it in a browser)'
	@[ ! -e $(DEMO)/preview.mp4 ] || echo 'As a video:             $(DEMO)/preview.mp4'
	@echo 'All frames at a glance: $(DEMO)/contact.png'
	@echo 'One picture per frame:  $(DEMO)/images'
	@echo 'The particles:          $(DEMO)/particles.pvd (for ParaView)'

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
