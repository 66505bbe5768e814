package postgres
import _ "github.com/pgvector/pgvector-go"
