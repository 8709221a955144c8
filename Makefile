# make check is what comes before a commit; make test is the full run, the same
# as in CI. Caches and built tools are in $XDG_CACHE_HOME/parley, or
# ~/.cache/parley.
.PHONY: all check test generate long fuzz-api torture corpus bench

all: check

# Format, vet, staticcheck, then the repo's rules and every quick test.
check:
	scripts/lint
	go test ./...

# Everything, under -race; the last line counts the tests.
test:
	scripts/test

# Go code of the .proto files, beside them, and the client of gateway/openapi.json.
generate:
	scripts/generate

# Fuzzing, random plays and torture, for as long as scripts/long is told.
long:
	scripts/long

# The real program against its own document: PARLEY_FUZZ=1h make fuzz-api
fuzz-api:
	scripts/fuzz-api

# Kills, restarts and full disks under load: PARLEY_TORTURE=1h make torture
torture:
	PARLEY_TORTURE=$${PARLEY_TORTURE:-10m} go test -count=1 -timeout 0 -v -run '^TestTorture' ./bench/torture

# Real mail through every parser: PARLEY_CORPUS=folder make corpus
corpus:
	@test -n "$(PARLEY_CORPUS)" || { echo "corpus: PARLEY_CORPUS names no folder" >&2; exit 1; }
	PARLEY_CORPUS="$(abspath $(PARLEY_CORPUS))" go test -count=1 -timeout 0 -tags corpus ./...

bench:
	go test -run '^$$' -bench . -benchmem ./...
