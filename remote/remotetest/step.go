package remotetest

import (
	"compress/gzip"
	"fmt"
	"net"
	"net/http"
	"strconv"
)

// Say answers with a status, a body and headers, given as names and values in
// turn. A Content-Length larger than the body cuts it off.
func Say(status int, body string, headers ...string) Step {
	return func(w http.ResponseWriter, _ *http.Request, _ Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// Gzip answers with a compressed body.
func Gzip(status int, body string) Step {
	return func(w http.ResponseWriter, _ *http.Request, _ Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(status)
		zw := gzip.NewWriter(w)
		fmt.Fprint(zw, body)
		_ = zw.Close()
	}
}

// Stream answers 200 with pieces, each sent by itself, and ends properly. A piece
// may end anywhere, inside a character too.
func Stream(contentType string, pieces ...string) Step {
	return func(w http.ResponseWriter, _ *http.Request, _ Request) {
		stream(w, contentType, pieces)
	}
}

// BreakOff is Stream with a connection that breaks behind the pieces.
func BreakOff(contentType string, pieces ...string) Step {
	return func(w http.ResponseWriter, _ *http.Request, _ Request) {
		stream(w, contentType, pieces)
		panic(http.ErrAbortHandler)
	}
}

// Trickle is Stream with an end that never comes: behind the pieces it waits
// until the client is gone. Without pieces the client gets headers only.
func Trickle(contentType string, pieces ...string) Step {
	return func(w http.ResponseWriter, r *http.Request, _ Request) {
		stream(w, contentType, pieces)
		<-r.Context().Done()
	}
}

func stream(w http.ResponseWriter, contentType string, pieces []string) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(http.StatusOK)
	flush(w)
	for _, piece := range pieces {
		fmt.Fprint(w, piece)
		flush(w)
	}
}

func flush(w http.ResponseWriter) {
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// Never sends nothing, not even headers, until the client is gone.
func Never() Step {
	return func(_ http.ResponseWriter, r *http.Request, _ Request) { <-r.Context().Done() }
}

// Reset breaks the connection before the headers, with a reset where the
// protocol allows that.
func Reset() Step {
	return func(w http.ResponseWriter, _ *http.Request, _ Request) {
		if h, ok := w.(http.Hijacker); ok {
			if conn, _, err := h.Hijack(); err == nil {
				if tcp, ok := conn.(*net.TCPConn); ok {
					_ = tcp.SetLinger(0)
				}
				_ = conn.Close()
				return
			}
		}
		panic(http.ErrAbortHandler)
	}
}

// ResetBody sends headers and the beginning of a body that was to be longer, and
// breaks the connection.
func ResetBody(status int, beginning string) Step {
	return func(w http.ResponseWriter, _ *http.Request, _ Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(beginning)+1000))
		w.WriteHeader(status)
		fmt.Fprint(w, beginning)
		flush(w)
		panic(http.ErrAbortHandler)
	}
}

// Endless answers with a body that goes on until the client is gone.
func Endless(status int, part string) Step {
	return func(w http.ResponseWriter, r *http.Request, _ Request) {
		w.WriteHeader(status)
		for r.Context().Err() == nil {
			if _, err := fmt.Fprint(w, part); err != nil {
				return
			}
		}
	}
}
