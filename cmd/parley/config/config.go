// Package config is what a server is told: one typed Config, read from one file
// and a few flags.
//
// It promises that a misspelled key is an error and never a default, that
// Validate names every problem by its path in the file, and that the example
// file says what the code says: it is made from the struct. It reads no
// environment and opens nothing but the file.
package config

import (
	"log/slog"
	"time"
)

// Config is the whole of a server's settings. The tags are the keys of the file
// and what the example says of them.
type Config struct {
	Data    string  `toml:"data" doc:"The folder that everything is kept in. It is made if it is not there."`
	HTTP    HTTP    `toml:"http" doc:"The door for programs: /v1."`
	LMTP    LMTP    `toml:"lmtp" doc:"The door for mail, from a mail server in front."`
	Admin   Admin   `toml:"admin" doc:"/metrics, /healthz and /debug/pprof, for whoever runs the server. Keep it private."`
	Mailbox Mailbox `toml:"mailbox" doc:"What holds for every mailbox."`
	Store   Store   `toml:"store" doc:"How much memory and disk the store may use."`
	Blobs   Blobs   `toml:"blobs" doc:"How attachments and large texts that nobody has any more are looked for, and their space is given back."`
	Drain   Drain   `toml:"drain" doc:"What happens on SIGTERM."`
	Log     Log     `toml:"log" doc:"The log goes to standard error."`
}

// HTTP is the door for programs.
type HTTP struct {
	Listen    string   `toml:"listen" doc:"Address and port; port 0 takes a free one. Keep TLS in front of anything but loopback."`
	Hosts     []string `toml:"hosts" doc:"Host names that are served; none means any."`
	Proxies   []string `toml:"proxies" doc:"Networks of proxies whose X-Forwarded-For is believed, such as \"10.0.0.0/8\"; none means nobody's."`
	MaxUpload Bytes    `toml:"max_upload" doc:"The largest upload."`
}

// LMTP is the door for mail (RFC 2033).
type LMTP struct {
	Listen     string `toml:"listen" doc:"Address and port; \"\" keeps the door shut."`
	Hostname   string `toml:"hostname" doc:"What the server calls itself; \"\" is the name of the machine."`
	MaxMessage Bytes  `toml:"max_message" doc:"The largest message."`
}

// Admin is the door for whoever runs the server.
type Admin struct {
	Listen string `toml:"listen" doc:"Address and port; \"\" keeps the door shut."`
}

// Mailbox is what holds for every mailbox.
type Mailbox struct {
	Quota Bytes    `toml:"quota" doc:"What an account may hold that has no quota of its own."`
	Idle  Duration `toml:"idle" doc:"A mailbox or room that nobody asks for leaves memory after this time."`

	Segment Bytes `toml:"segment" doc:"Once the newest part of a log is twice as long, so much of it goes into the archive."`
}

// Store is how much the store may use.
type Store struct {
	Cache   Bytes `toml:"cache" doc:"Memory for blocks of the store."`
	Reserve Bytes `toml:"reserve" doc:"Writes are refused when less than this is free on the disk."`
}

// Blobs is how blobs that nobody names go.
type Blobs struct {
	Sweep       Duration `toml:"sweep" doc:"How often to look. What two looks 48 hours apart find unused is removed. 0s never looks."`
	DeadPercent int      `toml:"dead_percent" doc:"A volume is rewritten when so much of it is unused."`
	Rate        Bytes    `toml:"rate" doc:"Reads and writes for this keep below it, per second."`
}

// Drain is what happens on SIGTERM.
type Drain struct {
	Timeout Duration `toml:"timeout" doc:"Requests under way have this long to end. A second signal ends the server at once."`
}

// Log says what is logged and how.
type Log struct {
	Level  slog.Level `toml:"level" doc:"debug, info, warn or error."`
	Format string     `toml:"format" doc:"text or json."`
}

// Default is the configuration of a server that is told nothing.
func Default() Config {
	return Config{
		HTTP:    HTTP{Listen: "127.0.0.1:8080", Hosts: []string{}, Proxies: []string{}, MaxUpload: 100 << 20},
		LMTP:    LMTP{MaxMessage: 50 << 20},
		Mailbox: Mailbox{Quota: 10 << 30, Idle: Duration(10 * time.Minute), Segment: 4 << 20},
		Store:   Store{Cache: 64 << 20, Reserve: 64 << 20},
		Blobs:   Blobs{Sweep: Duration(24 * time.Hour), DeadPercent: 30, Rate: 8 << 20},
		Drain:   Drain{Timeout: Duration(30 * time.Second)},
		Log:     Log{Level: slog.LevelInfo, Format: "text"},
	}
}
