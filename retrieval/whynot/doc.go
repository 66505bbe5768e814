// Package whynot finds out what other parameters would make of a ranking: why a text
// is missing and which smallest change lets it in ([Ask], and [AskKept] where there is
// no corpus any more), at which values of a parameter the ranking changes
// ([FindBreakpoints], [CoarseBreakpoints]) or a rank does ([RankBreakpoints]), and what
// leaving a stage out does ([Ablations]). All of them rank evidence that was gathered
// once; only Ask may gather more.
package whynot
