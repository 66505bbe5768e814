package catalog

// Flaws are what is known to be wrong with the versions on the server. They are
// those that pgvector's change log names, all of them in HNSW, so that they only
// matter where vectors are indexed.
func (s *Server) Flaws(indexed bool) []string {
	const update = "install 0.8.4 or later on the server, then: ALTER EXTENSION vector UPDATE"
	switch v := Printable(s.Vector); {
	case s.Vector == "" || !indexed || !OlderThan(s.Vector, "0.8.4"):
		return nil
	case OlderThan(s.Vector, "0.8.0"):
		return []string{TooOld(s.Vector)}
	case OlderThan(s.Vector, "0.8.2"):
		return []string{"pgvector " + v + " can write past a buffer while it builds an HNSW index in parallel, and damage one while it vacuums; " + update}
	case OlderThan(s.Vector, "0.8.3"):
		return []string{"pgvector " + v + " can damage an HNSW index while it vacuums; " + update}
	default:
		return []string{"pgvector " + v + " may leave rows out of reach that are written while an HNSW index is vacuumed; " + update}
	}
}
