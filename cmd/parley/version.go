package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// versionCommand prints the version.
type versionCommand struct{}

func (versionCommand) run(_ context.Context, p process) error {
	_, err := fmt.Fprintf(p.stdout, "parley %s %s %s/%s\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// version is what the build knows of where it came from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && version == "(devel)" {
			version = "devel+" + s.Value[:min(12, len(s.Value))]
		}
	}
	return version
}
