package checkup

import (
	"github.com/webrag/webrag-tui/store"
	"github.com/webrag/webrag-tui/store/postgres/internal/catalog"
)

// Server says what the server is.
func (c *Checker) Server() error {
	var version string
	if err := c.Scan("SELECT current_setting('server_version')", nil, &version); err != nil {
		return err
	}
	found := "PostgreSQL " + catalog.Printable(version)
	if c.Versions.Citus != "" {
		found += " with Citus " + catalog.Printable(c.Versions.Citus)
	}
	c.Add("server", store.CheckFine, found, "")
	if c.Versions.Standby {
		c.Add("standby", store.CheckFine, "searches go to a standby, which repeats another server and may be behind it", "")
	}
	if c.DB.Pooled() {
		c.Add("pooler", store.CheckFine, "a pooler that pools transactions is in between: settings are sent with each search", "")
	}
	return nil
}

// Extension looks at the version of pgvector.
func (c *Checker) Extension() error {
	have := c.Versions.Vector
	if have == "" {
		c.Add("extension", store.CheckBroken, "the database does not have pgvector", "have an administrator run: CREATE EXTENSION vector")
		return nil
	}
	found := "pgvector " + catalog.Printable(have)
	if warnings := c.Versions.Flaws(true); len(warnings) > 0 {
		c.Add("extension", store.CheckWarning, warnings[0], "")
		return nil
	}
	var offered string
	err := c.Scan("SELECT coalesce(max(default_version), '') FROM pg_available_extensions WHERE name = 'vector'", nil, &offered)
	if err != nil {
		return err
	}
	if offered != "" && catalog.OlderThan(have, offered) {
		c.Add("extension", store.CheckWarning, found+", and the server has "+catalog.Printable(offered)+" installed", "ALTER EXTENSION vector UPDATE")
		return nil
	}
	c.Add("extension", store.CheckFine, found, "")
	return nil
}
