package hbase

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"

	"github.com/tsuna/gohbase"
	"github.com/tsuna/gohbase/hrpc"
	"golang.org/x/sync/errgroup"

	"github.com/parley-im/parley/persistence"
)

// families are those of each table. HBase knows no others.
var families = map[persistence.Table][]persistence.Family{
	persistence.Mailbox:   {persistence.Log, persistence.Meta, persistence.Search},
	persistence.Thread:    {persistence.Log, persistence.Meta},
	persistence.Archive:   {persistence.Arch},
	persistence.Directory: {persistence.Dir},
	persistence.Account:   {persistence.Arch},
	persistence.Reminder:  {persistence.Remind},
}

// attributes of every family: of the versions of a cell only the newest is kept,
// and a read of known cells skips the files that hold none of them.
var attributes = map[string]string{"VERSIONS": "1", "BLOOMFILTER": "ROWCOL"}

// tableName is a table's name in the cluster.
func (cfg Config) tableName(t persistence.Table) []byte { return []byte(cfg.Prefix + string(t)) }

// prepare makes the tables that are missing. Two servers that do so at once both
// find them made.
func prepare(ctx context.Context, cfg Config) error {
	ctx, cancel := context.WithTimeout(ctx, 4*cfg.Timeout)
	defer cancel()
	var links links
	defer links.close()
	admin := gohbase.NewAdminClient(cfg.Quorum, gohbase.RegionDialer(links.dial), gohbase.Logger(cfg.Log))
	there, err := tables(ctx, admin)
	if err != nil {
		return fmt.Errorf("list tables: %w", err)
	}
	making, ctx := errgroup.WithContext(ctx)
	for t := range families {
		if name := cfg.tableName(t); !there[string(name)] {
			making.Go(func() error {
				err := admin.CreateTable(cfg.create(ctx, t))
				if err != nil && !strings.Contains(err.Error(), "TableExistsException") {
					return fmt.Errorf("create table %s: %w", name, err)
				}
				return nil
			})
		}
	}
	return making.Wait()
}

func tables(ctx context.Context, admin gohbase.AdminClient) (map[string]bool, error) {
	call, err := hrpc.NewListTableNames(ctx)
	if err != nil {
		return nil, err
	}
	names, err := admin.ListTableNames(call)
	there := make(map[string]bool, len(names))
	for _, n := range names {
		if string(n.GetNamespace()) == "default" {
			there[string(n.GetQualifier())] = true
		}
	}
	return there, err
}

// create splits a table by the hash that row keys start with, evenly.
func (cfg Config) create(ctx context.Context, t persistence.Table) *hrpc.CreateTable {
	all := make(map[string]map[string]string)
	for _, f := range families[t] {
		all[string(f)] = attributes
	}
	var splits [][]byte
	for i := 1; i < cfg.Regions; i++ {
		splits = append(splits, binary.BigEndian.AppendUint16(nil, uint16(i*0x10000/cfg.Regions)))
	}
	return hrpc.NewCreateTable(ctx, cfg.tableName(t), all, hrpc.SplitKeys(splits))
}

// links are the connections of an admin client, which cannot close them itself.
type links struct {
	mu   sync.Mutex
	open []io.Closer // under mu
}

func (l *links) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.open = append(l.open, conn)
	}
	return conn, err
}

func (l *links) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.open {
		c.Close()
	}
}
