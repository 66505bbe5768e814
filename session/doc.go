// Package session is one exploration of a corpus, without a screen: the query and its
// evidence, the parameters with undo and redo, the ranking they give, the baseline that
// it is compared with, the queries that are watched meanwhile, the history and the
// snapshots.
//
// A [Session] is owned by one goroutine and waits for nothing. A command, such as
// [Session.Ask] or [Session.Set], changes at once what can be changed at once, and
// returns the [Work] for which somebody has to wait. [Work.Run] does it, on any
// goroutine; what it brings is given to [Session.Apply], which may return more work.
// Each piece of work has a kind and a generation: what older work of a kind brings is
// dropped, so that a late answer cannot overwrite a newer one.
//
// The example does all of it one after the other; each piece of work may as well run in a
// goroutine of its own. While a corpus is away, what a session wants done is to wait and to
// try again: there is no end of it.
//
// An [Engine] that is an [Applier], too, is told what work has brought: so a session is
// recorded. One that is a [Replayer] brings what was read again, in place of a corpus.
//
// [Session.Changed] tells what has changed since it was last called, so that whoever
// draws a session need not compare.
package session
