package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/rogpeppe/go-internal/testscript"
)

// stranger is who made a folder: a server of models and a database that write down
// what they are sent, each password and key of it.
type stranger struct {
	mu    sync.Mutex
	heard []string
}

func (s *stranger) hear(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, fmt.Sprintf(format, args...))
}

// strangerCommand starts the servers of a stranger: stranger. Their addresses are
// in $STRANGER and $STRANGER_DB.
func strangerCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: stranger")
	}
	s := new(stranger)
	server := httptest.NewServer(http.HandlerFunc(s.answer))
	ts.Defer(server.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.admit(conn)
		}
	}()
	ts.Setenv("STRANGER", server.URL)
	ts.Setenv("STRANGER_DB", listener.Addr().String())
	strangers.Store(ts.Getenv("WORK"), s)
}

// strangers are those of the running scripts, by their folder.
var strangers sync.Map

// heardCommand holds what a stranger was sent, and forgets it: heard [TEXT], where
// no text means anything at all.
func heardCommand(ts *testscript.TestScript, neg bool, args []string) {
	found, ok := strangers.Load(ts.Getenv("WORK"))
	if !ok || len(args) > 1 {
		ts.Fatalf("usage: heard [TEXT], after stranger")
	}
	s := found.(*stranger)
	s.mu.Lock()
	defer s.mu.Unlock()
	all := strings.Join(s.heard, "\n")
	if got := all != "" && strings.Contains(all, strings.Join(args, "")); got == neg {
		ts.Fatalf("the stranger heard %q", all)
	}
	if len(args) == 0 {
		s.heard = nil
	}
}

// mkenv writes the .env file of the current folder, a line each: mkenv NAME=VALUE...
func mkenv(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: mkenv NAME=VALUE...")
	}
	ts.Check(os.WriteFile(ts.MkAbs(".env"), []byte(strings.Join(args, "\n")+"\n"), 0o600))
}

// answer embeds, reranks and chats, badly.
func (s *stranger) answer(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Input     []string `json:"input"`
		Documents []string `json:"documents"`
	}
	_ = json.NewDecoder(r.Body).Decode(&request)
	s.hear("%s %s with %v %v and %q %q", r.Host, r.URL.Path, r.Header, r.URL.User, request.Input, request.Documents)
	var data []map[string]any
	for i := range request.Input {
		data = append(data, map[string]any{"index": i, "embedding": []float64{1, 0, 0, float64(i + 1)}})
	}
	var results []map[string]any
	for i := range request.Documents {
		results = append(results, map[string]any{"index": i, "relevance_score": 0.5})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"data": data, "results": results})
}

// admit asks whoever connects for a password in the clear, as PostgreSQL may, and
// turns them away.
func (s *stranger) admit(conn net.Conn) {
	defer conn.Close()
	backend := pgproto3.NewBackend(conn, conn)
	for {
		started, err := backend.ReceiveStartupMessage()
		if err != nil {
			return
		}
		switch m := started.(type) {
		case *pgproto3.SSLRequest, *pgproto3.GSSEncRequest:
			_, _ = conn.Write([]byte("N"))
			continue
		case *pgproto3.StartupMessage:
			s.hear("database startup %v", m.Parameters)
		}
		break
	}
	backend.Send(&pgproto3.AuthenticationCleartextPassword{})
	if backend.Flush() != nil || backend.SetAuthType(pgproto3.AuthTypeCleartextPassword) != nil {
		return
	}
	m, err := backend.Receive()
	if err != nil {
		return
	}
	if p, ok := m.(*pgproto3.PasswordMessage); ok {
		s.hear("database password %q", p.Password)
	}
	backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "28P01", Message: "go away"})
	_ = backend.Flush()
}
