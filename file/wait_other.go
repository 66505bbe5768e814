//go:build !unix

package file

// withoutWaiting is nothing where opening a path waits for nobody.
const withoutWaiting = 0
