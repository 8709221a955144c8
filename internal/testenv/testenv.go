// Package testenv names the servers that tests may use. It alone decides that a
// test is skipped: where a server is missing and the run does not insist on it.
//
// It promises that a run that insists never skips. It leaves to scripts/test to
// start the servers and to stop them.
package testenv

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The variables. PARLEY_TEST_REQUIRE lists, between commas, the servers without
// which a test fails.
const (
	hbaseVariable   = "PARLEY_TEST_HBASE"
	requireVariable = "PARLEY_TEST_REQUIRE"
)

// HBase is the quorum address of a running HBase, such as 127.0.0.1:2181. Tests
// make tables of their own there.
func HBase(t testing.TB) string {
	t.Helper()
	return server(t, "hbase", hbaseVariable)
}

func server(t testing.TB, name, variable string) string {
	t.Helper()
	address := os.Getenv(variable)
	if address != "" {
		return address
	}
	if slices.Contains(strings.Split(os.Getenv(requireVariable), ","), name) {
		t.Fatalf("%s is required, but %s names none; scripts/%s-start starts one", name, variable, name)
	}
	t.Skipf("%s names no server; scripts/%s-start starts one", variable, name)
	return ""
}
