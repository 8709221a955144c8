package server

import (
	"errors"
	"fmt"
	"net"
)

// Ready says where a server listens, as serve prints it.
type Ready struct {
	Ready bool   `json:"ready"`
	HTTP  string `json:"http"`
	LMTP  string `json:"lmtp,omitempty"`
	Admin string `json:"admin,omitempty"`
}

// Ready gives the addresses, with the ports that were free.
func (s *Server) Ready() Ready {
	return Ready{Ready: true, HTTP: address(s.http), LMTP: address(s.lmtp), Admin: address(s.admin)}
}

func address(l net.Listener) string {
	if l == nil {
		return ""
	}
	return l.Addr().String()
}

// listen takes the addresses; no address, no door.
func (s *Server) listen() error {
	set := s.cfg.Settings
	for _, one := range []struct {
		name, address string
		to            *net.Listener
	}{
		{"http", set.HTTP.Listen, &s.http},
		{"lmtp", set.LMTP.Listen, &s.lmtp},
		{"admin", set.Admin.Listen, &s.admin},
	} {
		if one.address == "" {
			continue
		}
		l, err := net.Listen("tcp", one.address)
		if err != nil {
			return fmt.Errorf("%w; name another address with --%s", err, one.name)
		}
		*one.to = l
	}
	return nil
}

func (s *Server) closeListeners() error {
	var errs []error
	for _, l := range []net.Listener{s.http, s.lmtp, s.admin} {
		if l != nil {
			errs = append(errs, l.Close())
		}
	}
	return errors.Join(errs...)
}
