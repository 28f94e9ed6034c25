# make run    builds and shows the sample: in the window, or without a display
#             headless, which leaves out/recovery.png, .gpkg and .csv
# make build  leaves ./retrace
# make test   runs all tests; builds the window, whose system calls one of them traces
# make train  makes the model from extracts and trips: data sets, training, bundle,
#             card (SMALL=1: the same on little data, to try it out)
# make test-training  runs the tests of training alone
# make setup  installs what is missing (Debian and its kin), or says what is
# make race   runs the race detector on the packages that start goroutines
# make lint   gofmt, go vet, staticcheck
# make score  scores recovery on the shared data
# make results  trains and measures all systems that the paper compares, and writes
#             docs/results.md; it takes hours, may be stopped and goes on
#             (ROWS='--bench "Porto x8" --seeds 1': only these)
# make docs   writes the pages under docs that commands make
# make onnxruntime  installs the ONNX Runtime library that models run in
# make onnxruntime-gpu  the same with GPU support, and a software Vulkan to test it
#             with where Debian has one
# make check-formats  has what is written read by QGIS, GDAL, pandas, DuckDB and others,
#             which it installs; QGIS is large
# make check-python  tests the Python package with pandas, Polars and GeoPandas, which it
#             installs (SPARK=1: with Spark in one process, too; it needs Java)
# make check-spark  tries a Spark cluster of two workers and writes docs/spark.md
#             (POINTS=40000: of so many rather than a million); it needs Java
# make wheel  builds the Python package's wheel for this system in dist/, and tries it
# make screens  writes the README's screens, of the generated sample
# make dist   makes the packages for Windows and Linux in dist/ (ONLY=linux-amd64: that)
# make check-dist  tries them in fresh systems; as root, on Debian
# make icon   draws the program's icon from its SVG (Debian: librsvg2-bin)
# make fuzz   runs every fuzz target for TIME (30s)
# make random  clicks, types and drops at random in the window for TIME (30s), and
#             checks it after each action; SEED=7 begins as a run that failed did
# make bench  runs the benchmarks
# make bench-ui  measures the window and writes docs/window.md

GO ?= go
TIME ?= 30s
RETRACE_DATA ?= ../shared
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.7.0
# The commit, which the version in the file VERSION is told with in builds that are
# no release.
LDFLAGS = -X main.build=$(shell git describe --always --dirty --exclude '*' 2>/dev/null)
OS = $(shell uname -s)
# OpenGL ES builds faster than OpenGL: README says by how much. Without fyne's own
# emoji, which it would read into memory once for each style of text, those of the
# system show.
COMMA = ,
TAGS = no_emoji$(if $(filter Linux,$(OS)),$(COMMA)gles)
EXE = $(if $(findstring NT,$(OS)),.exe)
# Whether a window can open.
DISPLAYED = $(if $(filter Linux,$(OS)),$(DISPLAY)$(WAYLAND_DISPLAY),yes)
# The program without its window: no graphics library is needed to build or run it.
HEADLESS = .cache/retrace-headless$(EXE)

.PHONY: run runtime build dist check-dist icon headless test test-training train results onnxruntime onnxruntime-gpu setup lint race score docs check-formats check-python check-spark wheel fuzz random bench bench-ui clean

ifneq ($(DISPLAYED),)
run: build runtime
	mkdir -p out
	./retrace$(EXE) --workspace out/sample.retrace
else
run: headless runtime
	@[ -t 2 ] || quiet=--quiet; $(HEADLESS) $$quiet sample out --recover
endif

# Without it map matching recovers, and says so.
runtime:
	@scripts/onnxruntime.sh || true

build:
	@scripts/setup.sh window
	$(GO) build -tags '$(TAGS)' -ldflags '$(LDFLAGS)' -o retrace$(EXE) .

headless:
	@scripts/setup.sh headless
	$(GO) build -tags ci -ldflags '$(LDFLAGS)' -o $(HEADLESS) .

test:
	@scripts/setup.sh test
	@scripts/onnxruntime.sh gpu || scripts/onnxruntime.sh || echo "Tests that run models are skipped."
	@scripts/vulkan.sh || echo "Tests that run models on a GPU are skipped."
	@$(MAKE) --no-print-directory build || echo "The test that traces the window is skipped."
	$(GO) test -tags ci -timeout 30m ./...
	@$(MAKE) --no-print-directory test-training

test-training: headless
	@scripts/onnxruntime.sh || echo "Tests that run models are skipped."
	@scripts/train.sh test $(HEADLESS)

train: headless
	@scripts/onnxruntime.sh
	scripts/train.sh train $(HEADLESS) $(RETRACE_DATA) $(if $(SMALL),small)

results: headless
	@scripts/onnxruntime.sh
	scripts/results.sh $(HEADLESS) $(RETRACE_DATA) $(ROWS)

setup:
	scripts/setup.sh window
	scripts/setup.sh test
	scripts/onnxruntime.sh

lint:
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "not formatted: $$unformatted"; exit 1; fi
	$(GO) vet -tags ci ./...
	$(GO) run $(STATICCHECK) -tags ci ./...

race:
	@scripts/setup.sh headless
	scripts/race.sh '$(GO)'

score:
	$(GO) run -tags ci ./tools/score -data $(RETRACE_DATA)

docs: headless
	scripts/docs.sh $(HEADLESS)
	scripts/evaluation.sh $(HEADLESS) $(RETRACE_DATA)/data
	scripts/rates.sh $(RETRACE_DATA)/data places
	@scripts/setup.sh formats
	@scripts/formats.sh || echo "What Python packages check is left out."
	$(GO) run -tags ci ./tools/formats >docs/formats.md.part && mv docs/formats.md.part docs/formats.md
	$(GO) run ./tools/licences
	$(GO) run -tags ci ./tools/features
	$(GO) run -tags ci ./tools/flows -data $(RETRACE_DATA)/data
	$(GO) run -tags ci ./tools/simreport -data $(RETRACE_DATA)/data
	$(GO) run -tags ci ./tools/matchbench -data $(RETRACE_DATA)/data
	$(GO) run -tags ci ./tools/importbench $(RETRACE_DATA)/data/osm/*

check-formats:
	@scripts/setup.sh formats
	@scripts/formats.sh || echo "What Python packages check is skipped."
	$(GO) test -tags ci -count 1 -v -run 'TestOthers|TestChecks' ./tools/formats

check-python: headless
	scripts/checkpython.sh $(HEADLESS) $(if $(SPARK),spark)

check-spark: headless
	@scripts/onnxruntime.sh
	scripts/checkspark.sh $(HEADLESS) $(RETRACE_DATA) $(POINTS)

wheel: headless
	@scripts/onnxruntime.sh
	scripts/wheel.sh $(HEADLESS) dist

screens:
	@scripts/onnxruntime.sh
	RETRACE_SCREENS=$(CURDIR)/docs/screens $(GO) test -tags ci -count 1 -run TestWriteScreens ./ui

dist:
	scripts/dist.sh $(ONLY)

check-dist:
	scripts/checkdist.sh $(ONLY)

icon:
	rsvg-convert -w 256 -h 256 assets/icon.svg -o assets/icon.png

fuzz:
	scripts/fuzz.sh $(TIME)

random:
	RETRACE_RANDOM=$(TIME) RETRACE_SEED=$(or $(SEED),$(shell date +%s)) $(GO) test -tags ci -count 1 -timeout 0 -v -run TestRandomActions ./ui

bench:
	$(GO) test -tags ci -run '^$$' -bench . -benchmem ./...

bench-ui:
	$(GO) run -tags ci ./tools/windowbench

clean:
	rm -rf retrace retrace.exe out .cache

onnxruntime:
	@scripts/onnxruntime.sh

onnxruntime-gpu:
	@scripts/onnxruntime.sh gpu
	@scripts/vulkan.sh || echo "Tests of the GPU are skipped."
