package db

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// connectionKeys are the parameters of an address that say how to connect. All
// others are settings that the server is asked to make.
func connectionKeys() []string {
	return []string{
		"host", "port", "dbname", "database", "user", "password", "passfile", "service", "servicefile",
		"connect_timeout", "sslmode", "sslkey", "sslcert", "sslcertmode", "sslrootcert", "sslpassword",
		"sslsni", "sslnegotiation", "krbspn", "krbsrvname", "target_session_attrs", "channel_binding",
		"require_auth", "min_protocol_version", "max_protocol_version", "application_name",
		"statement_cache_capacity", "description_cache_capacity", "default_query_exec_mode",
		"pool_max_conns", "pool_min_conns", "pool_min_idle_conns", "pool_max_conn_lifetime",
		"pool_max_conn_idle_time", "pool_health_check_period", "pool_max_conn_lifetime_jitter",
		"pool_ping_timeout", "pool_mode", "pgbouncer",
	}
}

// needless are parameters of other clients that change nothing here: keep-alive
// probes and a shuffled order of hosts there are anyway, other kinds of
// encryption and compression are not.
func needless() []string {
	return []string{
		"keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout",
		"load_balance_hosts", "gssencmode", "sslcompression", "uselibpqcompat",
	}
}

// elsewhere says what to write instead of a parameter that other clients have.
func elsewhere() map[string]string {
	const leave = "this program cannot do what it asks for; leave it out"
	return map[string]string{
		"ssl":                      "write sslmode=require, or sslmode=disable",
		"hostaddr":                 "write the number as host",
		"schema":                   "write search_path",
		"currentSchema":            "write search_path",
		"connection_limit":         "write pool_max_conns",
		"pool_size":                "write pool_max_conns",
		"prepared_statement_cache": "write statement_cache_capacity",
		"charset":                  "leave it out: everything is UTF-8",
		"requirepeer":              leave,
		"replication":              leave,
		"sslcrl":                   leave,
		"sslcrldir":                leave,
		"ssl_min_protocol_version": leave,
		"ssl_max_protocol_version": leave,
	}
}

// takeParameters takes what is not for the server out of its parameters, and
// finds those that are mistyped. A mistyped sslmode must not be found out by the
// server: by then the connection would have been made without it.
func (a *address) takeParameters() error {
	params := a.config.ConnConfig.RuntimeParams
	wrong := func(format string, args ...any) error {
		return &AddressError{a.shown, fmt.Sprintf(format, args...)}
	}
	take := func(key string) (value string, ok bool) {
		value, ok = params[key]
		delete(params, key)
		return value, ok
	}
	for _, key := range needless() {
		take(key)
	}
	if name, ok := take("fallback_application_name"); ok && params["application_name"] == "" {
		params["application_name"] = name
	}
	switch mode, ok := take("pool_mode"); {
	case mode == "transaction", mode == "statement":
		a.pooled = true
	case ok && mode != "session":
		return wrong("pool_mode is that of the pooler: session or transaction")
	}
	switch value, ok := take("pgbouncer"); {
	case value == "true":
		a.pooled = true
	case ok && value != "false":
		return wrong("pgbouncer must be true or false")
	}
	instead := elsewhere()
	for _, key := range slices.Sorted(maps.Keys(params)) {
		if advice, ok := instead[key]; ok {
			return wrong("the parameter %q is not known here: %s", key, advice)
		}
		if slices.Contains(connectionKeys(), key) || strings.Contains(key, ".") {
			continue
		}
		for _, right := range connectionKeys() {
			if len(key) > 3 && near(key, right) {
				return wrong("there is no parameter %q; was %q meant?", key, right)
			}
		}
	}
	return nil
}
