package catalog

import "context"

// Server is what a server says about itself.
type Server struct {
	// Version is server_version_num: 170011.
	Version int
	// Vector and Citus are the versions of these extensions in this database, empty
	// without.
	Vector, Citus string
	// VectorSchema is where the extension vector lives; VectorVisible says whether
	// the search path reaches it, without which no statement can name its type.
	VectorSchema  string
	VectorVisible bool
	// Standby says that the server follows another one and takes no writes.
	Standby bool
	// Role is the role of the session.
	Role string
}

// ReadServer asks a server for its versions.
func ReadServer(ctx context.Context, q Querier) (Server, error) {
	var s Server
	err := q.QueryRow(ctx, `
		SELECT current_setting('server_version_num')::int, pg_is_in_recovery(), current_user::text,
			coalesce((SELECT extversion FROM pg_extension WHERE extname = 'citus'), ''),
			coalesce(v.extversion, ''), coalesce(n.nspname, ''), coalesce(pg_type_is_visible(t.oid), false)
		FROM (VALUES (1)) one
		LEFT JOIN pg_extension v ON v.extname = 'vector'
		LEFT JOIN pg_namespace n ON n.oid = v.extnamespace
		LEFT JOIN pg_type t ON t.typname = 'vector' AND t.typnamespace = n.oid`).
		Scan(&s.Version, &s.Standby, &s.Role, &s.Citus, &s.Vector, &s.VectorSchema, &s.VectorVisible)
	return s, err
}

// MayCreateVector reports whether this role may run CREATE EXTENSION vector in this
// database: the server has it installed, and the role is a superuser, or it is
// trusted and the role may create in the database.
func (s *Server) MayCreateVector(ctx context.Context, q Querier) (may bool, err error) {
	if s.Vector != "" || s.Standby {
		return false, nil
	}
	err = q.QueryRow(ctx, `
		SELECT EXISTS (SELECT 1 FROM pg_available_extension_versions v WHERE v.name = 'vector'
			AND (current_setting('is_superuser')::boolean
				OR v.trusted AND has_database_privilege(current_database(), 'CREATE')))`).Scan(&may)
	return may, err
}
