package judgment

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/webrag/webrag-tui/file"
)

// promptsFolder is where the prompts of models are, in the folder of a set.
const promptsFolder = "prompts"

// KeepPrompt keeps what a model is told with every question, rubric and form, under the hash
// that records name it by, see [Evidence]: as prompts/HASH.txt in the folder of the set.
func (s *Set) KeepPrompt(hash, text string) error {
	path := filepath.Join(s.Folder, promptsFolder, hash+".txt")
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = file.ReplaceAtOnce(path, 0o600, []byte(text))
	}
	if err != nil {
		return fmt.Errorf("keep a prompt of %s: %w", s.Folder, err)
	}
	return nil
}
