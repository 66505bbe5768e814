// Package config resolves settings from five places and remembers, for each
// value, which one it came from.
//
// The precedence is flags, environment, .env file, config file, default. The
// package knows no setting by name: a program hands it a table of [Setting]
// values and gets a [Config] back, or an [Error] for each thing that is wrong,
// with the file and line, the nearest key that exists, and the range that would
// be accepted.
package config
