package config_test

import (
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/parley-im/parley/cmd/parley/config"
)

var rewrite = flag.Bool("rewrite", false, "rewrite the golden files")

func TestDefaultIsValid(t *testing.T) {
	if err := config.Default().Validate(); err != nil {
		t.Error(err)
	}
}

func TestExample(t *testing.T) {
	const golden = "testdata/example.toml"
	got := config.Example()
	if *rewrite {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// The example says the defaults, and nothing that a server would not take.
func TestExampleReadsAsDefault(t *testing.T) {
	got, err := config.Read(strings.NewReader(config.Example()))
	if err != nil {
		t.Fatal(err)
	}
	want := config.Default()
	want.Data = got.Data
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"an unknown key", "[http]\nlisen = \"127.0.0.1:1\"", "http.lisen: there is no such setting"},
		{"every unknown key", "dta = \"x\"\n[smtp]\nlisten = \"x\"", "smtp.listen"},
		{"another type", "[http]\nlisten = 80", "http.listen"},
		{"an amount", "[store]\ncache = \"64 pounds\"", "64 pounds"},
		{"a negative amount", "[store]\ncache = \"-1MiB\"", "-1MiB"},
		{"an amount past all disks", "[store]\ncache = \"9999999999TiB\"", "9999999999TiB"},
		{"a span", "[drain]\ntimeout = \"soon\"", "soon"},
		{"a level", "[log]\nlevel = \"loud\"", "loud"},
		{"no TOML", "data: x", "line 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := config.Read(strings.NewReader(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want an error with %q", err, tc.want)
			}
		})
	}
}

func TestValidateNamesEveryProblem(t *testing.T) {
	c := config.Default()
	c.HTTP = config.HTTP{Listen: "nowhere", Hosts: []string{""}, Proxies: []string{"10.0.0.1"}, MaxUpload: 2 << 30}
	c.LMTP = config.LMTP{Listen: "127.0.0.1:port", MaxMessage: 1}
	c.Admin.Listen = "127.0.0.1:66000"
	c.Mailbox = config.Mailbox{}
	c.Store = config.Store{}
	c.Blobs = config.Blobs{Sweep: 1}
	c.Drain = config.Drain{}
	c.Log.Format = "xml"
	err := c.Validate()
	if err == nil {
		t.Fatal("no error")
	}
	for _, path := range []string{
		"http.listen", "http.hosts[0]", "http.proxies[0]", "http.max_upload", "lmtp.listen", "lmtp.max_message",
		"admin.listen", "mailbox.quota", "mailbox.idle", "mailbox.segment", "store.cache", "store.reserve", "blobs.sweep", "blobs.dead_percent", "blobs.rate", "drain.timeout", "log.format",
	} {
		if !strings.Contains(err.Error(), path+": ") {
			t.Errorf("%s is not named in:\n%v", path, err)
		}
	}
}
