package db

import (
	"net"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// location writes an address without user and secrets, as a URL that leads there:
// "postgres://host:5432/name", with several hosts "postgres://a:5432,b:5432/name",
// with a socket "postgres:///name?host=%2Frun%2Fpostgresql&port=5432".
func location(hosts []host, name string) string {
	var network []string
	sockets := url.Values{}
	for _, h := range hosts {
		port := strconv.Itoa(int(h.port))
		if path.IsAbs(h.name) {
			sockets.Set("host", h.name)
			sockets.Set("port", port)
			continue
		}
		network = append(network, net.JoinHostPort(h.name, port))
	}
	text := "postgres://" + strings.Join(network, ",") + "/" + url.PathEscape(name)
	if len(network) == 0 {
		text += "?" + sockets.Encode()
	}
	return plain(text)
}
