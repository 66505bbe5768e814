// Package param holds what can be set about a retrieval: the parameters with the one
// table that describes them, the presets, and profiles with their exports. Flags,
// settings, sliders, documents and searches for better values iterate over the table;
// see [Specs].
package param
