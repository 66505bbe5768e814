// Package db is the connection to a PostgreSQL server: addresses, pools,
// settings, retries, and what its errors mean to whoever reads them.
//
// A [DB] has two roles. Reading goes through a pool whose connections cannot
// write: [DB.Read] begins a transaction at repeatable read. Writing goes over a
// connection of its own, [DB.Connect]. Where an address names several hosts,
// reading prefers a standby and writing finds the primary.
//
// A read whose connection is lost may be done again, once, and [DB.IsLost] says
// when; a write never is. Cancelling the context of a statement cancels it on
// the server and keeps the connection.
//
// Between this program and the server there may be a pooler such as PgBouncer
// that hands a connection of the server out for one transaction at a time. Such
// a pooler takes no settings at the start of a connection and knows no prepared
// statements. It is recognised when it refuses those settings, and it can be
// named in the address with pool_mode=transaction or pgbouncer=true; then the
// settings travel with each transaction.
package db
