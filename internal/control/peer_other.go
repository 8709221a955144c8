//go:build !linux

package control

import "net"

// checkPeer relies on the mode of the socket and of its folder.
func checkPeer(net.Conn) error { return nil }
