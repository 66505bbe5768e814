package db

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// address is a parsed DSN with what the driver does not tell about it.
type address struct {
	config *pgxpool.Config
	hosts  []host
	shown  string // the DSN without secrets
	// pooled says that a pooler which pools transactions was named.
	pooled bool
	// poolSize says that the address itself sets the number of connections;
	// attributes that it says which kind of server it wants; mode that it says how
	// statements are sent.
	poolSize, attributes, mode bool
}

// host is one of the servers of an address, with the ways to reach it: with and
// without TLS, in the order in which they are tried.
type host struct {
	name string
	port uint16
	ways []*pgconn.FallbackConfig
}

// parse reads a DSN, a URL or a list of keywords and values; what it does not say
// comes from a service file, the PG* variables and .pgpass, and of those no secret
// if it is isolated.
func parse(dsn string, isolated bool) (*address, error) {
	normal, err := normalise(dsn)
	if err != nil {
		return nil, err
	}
	a := &address{shown: Redact(normal)}
	if isolated {
		if normal, err = isolate(normal); err != nil {
			return nil, err
		}
	}
	if err := checkFiles(normal); err != nil {
		return nil, &AddressError{a.shown, err.Error()}
	}
	if a.config, err = pgxpool.ParseConfig(normal); err != nil {
		return nil, &AddressError{a.shown, parseFailure(normal, err)}
	}
	if err := a.takeParameters(); err != nil {
		return nil, err
	}
	// The name of the database is shown wherever the corpus is named.
	switch name := a.config.ConnConfig.Database; {
	case IsDSN(name):
		return nil, &AddressError{a.shown, "its dbname is an address itself, which this program does not read; write that address alone"}
	case strings.Contains(name, "="):
		return nil, &AddressError{a.shown, "its dbname has an = in it, as if parameters were meant; close the quotes around each value, and begin parameters of a URL with ?"}
	}
	a.poolSize = strings.Contains(normal, "pool_max_conns")
	a.mode = strings.Contains(normal, "default_query_exec_mode")
	a.attributes = strings.Contains(normal, "target_session_attrs") || os.Getenv("PGTARGETSESSIONATTRS") != "" ||
		a.config.ConnConfig.ValidateConnect != nil
	a.findHosts()
	return a, nil
}

// Hosts are the names of the hosts that a DSN leads to, none where it is wrong.
func Hosts(dsn string) (names []string) {
	a, err := parse(dsn, false)
	if err != nil {
		return nil
	}
	for _, h := range a.hosts {
		names = append(names, h.name)
	}
	return names
}

// findHosts gathers the driver's list of attempts by host.
func (a *address) findHosts() {
	conn := a.config.ConnConfig
	first := &pgconn.FallbackConfig{Host: conn.Host, Port: conn.Port, TLSConfig: conn.TLSConfig}
	for _, way := range append([]*pgconn.FallbackConfig{first}, conn.Fallbacks...) {
		i := slices.IndexFunc(a.hosts, func(h host) bool { return h.name == way.Host && h.port == way.Port })
		if i < 0 {
			i = len(a.hosts)
			a.hosts = append(a.hosts, host{name: way.Host, port: way.Port})
		}
		a.hosts[i].ways = append(a.hosts[i].ways, way)
	}
}

// shuffle returns the hosts in an order of its own, so that the processes that
// read share the servers among them.
func (a *address) shuffle() []host {
	hosts := slices.Clone(a.hosts)
	rand.Shuffle(len(hosts), func(i, j int) { hosts[i], hosts[j] = hosts[j], hosts[i] })
	return hosts
}

// try sets the order in which hosts are tried.
func try(config *pgconn.Config, hosts []host) {
	var ways []*pgconn.FallbackConfig
	for _, h := range hosts {
		ways = append(ways, h.ways...)
	}
	config.Host, config.Port, config.TLSConfig = ways[0].Host, ways[0].Port, ways[0].TLSConfig
	config.Fallbacks = ways[1:]
}

// name is the database; a server takes the user's name for a missing one.
func (a *address) name() string {
	if name := a.config.ConnConfig.Database; name != "" {
		return name
	}
	return a.config.ConnConfig.User
}

// parseFailure turns an error of the driver's parser into a sentence. The
// driver's own text quotes the address as well as it can without the password;
// nothing of it is used but what cannot hold a piece of it.
func parseFailure(dsn string, err error) string {
	_, _, isURL := scheme(dsn)
	text := err.Error()
	if i := strings.LastIndex(text, "`: "); i >= 0 {
		text = text[i+len("`: "):]
	}
	has := func(what string) bool { return strings.HasPrefix(text, what) }
	switch {
	case has("invalid port") && isURL:
		return "the port is not a number from 1 to 65535; write host:5432, and in a password %3A for a colon, %2F for a slash and %40 for an @"
	case has("invalid port"):
		return "the port is not a number from 1 to 65535"
	case has("could not match"):
		return "it has more or fewer ports than hosts; give one port for all hosts or one for each"
	case has("failed to parse as URL"):
		return "it cannot be read; write postgres://user:password@host:5432/name, and percent-encode special characters (%25 for a percent sign, %40 for an @)"
	case has("failed to parse as keyword/value"):
		return "it cannot be read; write key=value pairs with spaces between them, and a value with spaces in single quotes"
	case has("failed to read service"):
		return fmt.Sprintf("the service is not in the service file (%s); add it there, or set PGSERVICEFILE to the file that has it", inner(err, "failed to read service"))
	case has("failed to configure TLS") && strings.Contains(text, "sslmode is invalid"):
		return "sslmode must be disable, allow, prefer, require, verify-ca or verify-full"
	case has("failed to configure TLS"):
		return fmt.Sprintf("TLS cannot be set up: %s; check sslrootcert, sslcert and sslkey", inner(err, "failed to configure TLS"))
	case has("unknown target_session_attrs"):
		return "target_session_attrs must be any, read-write, read-only, primary, standby or prefer-standby"
	case has("unknown channel_binding"):
		return "channel_binding must be disable, prefer or require"
	case has("invalid connect_timeout"):
		return "connect_timeout must be a number of seconds"
	case has("invalid default_query_exec_mode"):
		return "default_query_exec_mode must be cache_statement, cache_describe, describe_exec, exec or simple_protocol"
	}
	for _, key := range connectionKeys() {
		if strings.HasPrefix(strings.TrimPrefix(strings.TrimPrefix(text, "invalid "), "cannot parse "), key) {
			return fmt.Sprintf("the value of %s cannot be read", key)
		}
	}
	return "it cannot be read; write postgres://user@host:5432/name?sslmode=require"
}

// inner is the driver's reason below what it says itself.
func inner(err error, otherwise string) string {
	if below := errors.Unwrap(err); below != nil {
		return plain(below.Error())
	}
	return otherwise
}

// milliseconds is a duration as the server's settings take it.
func milliseconds(d interface{ Milliseconds() int64 }) string {
	return strconv.FormatInt(d.Milliseconds(), 10)
}
