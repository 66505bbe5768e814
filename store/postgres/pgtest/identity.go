package pgtest

import (
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
)

// PostgreSQL refuses to run as root, so root's servers run as this user, as
// those of scripts/postgres.sh do.
const serverUser = "nobody"

// command returns a command of one of PostgreSQL's programs, run by the user that
// the server's files belong to, in the server's folder: the test's own may be one
// that this user cannot enter.
func (s *Server) command(program string, args ...string) (*exec.Cmd, error) {
	line := append([]string{filepath.Join(s.programs, program)}, args...)
	if os.Getuid() == 0 {
		uid, gid, err := serverIDs()
		if err != nil {
			return nil, err
		}
		line = append([]string{"setpriv", "--reuid=" + strconv.Itoa(uid), "--regid=" + strconv.Itoa(gid), "--clear-groups"}, line...)
	}
	cmd := exec.Command(line[0], line[1:]...)
	cmd.Dir = s.dir
	return cmd, nil
}

// write puts a file into the server's data folder.
func (s *Server) write(name string, content []byte) error {
	path := filepath.Join(s.data(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		return err
	}
	if os.Getuid() != 0 {
		return nil
	}
	uid, gid, err := serverIDs()
	if err != nil {
		return err
	}
	return os.Chown(path, uid, gid)
}

func serverIDs() (uid, gid int, err error) {
	u, err := user.Lookup(serverUser)
	if err != nil {
		return 0, 0, err
	}
	uid, err = strconv.Atoi(u.Uid)
	if err != nil {
		return 0, 0, fmt.Errorf("user %s: %w", serverUser, err)
	}
	gid, err = strconv.Atoi(u.Gid)
	if err != nil {
		return 0, 0, fmt.Errorf("user %s: %w", serverUser, err)
	}
	return uid, gid, nil
}
