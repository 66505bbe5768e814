// Package cputime measures benchmarks on machines that do something else besides.
package cputime
