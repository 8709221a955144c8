package testenv

import (
	"fmt"
	"strings"
	"testing"
)

// verdict stands in for a test and panics with how it ended.
type verdict struct{ testing.TB }

func (verdict) Helper()                       {}
func (verdict) Skipf(format string, a ...any) { panic("skipped: " + fmt.Sprintf(format, a...)) }
func (verdict) Fatalf(format string, a ...any) {
	panic("failed: " + fmt.Sprintf(format, a...))
}

func TestHBase(t *testing.T) {
	for _, tc := range []struct{ name, address, require, want string }{
		{"there", "127.0.0.1:2181", "", "127.0.0.1:2181"},
		{"there and required", "127.0.0.1:2181", "consul,hbase", "127.0.0.1:2181"},
		{"missing", "", "", "skipped: PARLEY_TEST_HBASE names no server"},
		{"missing, another is required", "", "consul", "skipped: PARLEY_TEST_HBASE names no server"},
		{"missing and required", "", "consul,hbase", "failed: hbase is required"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Setenv(hbaseVariable, tc.address)
			t.Setenv(requireVariable, tc.require)
			if got := ending(); !strings.HasPrefix(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func ending() (how string) {
	defer func() {
		if p := recover(); p != nil {
			how = fmt.Sprint(p)
		}
	}()
	return HBase(verdict{})
}
