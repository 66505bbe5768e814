package trials

import (
	"fmt"
	"slices"
	"strings"

	"github.com/webrag/webrag-tui/evaluation/judgment"
	"github.com/webrag/webrag-tui/offset"
	"github.com/webrag/webrag-tui/retrieval"
	"github.com/webrag/webrag-tui/retrieval/phrase"
)

// judges are those whose opinions count: everybody's, those of people or of models, or
// of one. Where both have judged, people's count.
func judges(set *judgment.Set, name string) (judgment.Keep, []retrieval.Notice, error) {
	var people, models []string // and the rule among people
	by := set.Graders()
	for i := range set.Records {
		list := &people
		if set.Records[i].Judge.IsModel() {
			list = &models
		}
		if j := string(set.Records[i].Judge); !slices.Contains(*list, j) {
			*list = append(*list, j)
		}
	}
	byModels := offset.Line(strings.Join(models, ", "))
	switch {
	case name == "" && by.IsMixed():
		return judgment.People, []retrieval.Notice{retrieval.Worded(phrase.NoticeModelJudges, by.Unmodelled(), byModels)}, nil
	case (name == "" || name == "all") && by.IsOfModels():
		return nil, []retrieval.Notice{retrieval.Worded(phrase.NoticeByModels, byModels)}, nil
	case name == "all" && by.IsMixed():
		return nil, []retrieval.Notice{retrieval.Worded(phrase.NoticeMixedJudges, byModels, by.Unmodelled())}, nil
	case name == "", name == "all":
		return nil, nil, nil
	case name == "people":
		return judgment.People, nil, nil
	case name == "models":
		return judgment.Models, standing(set, models...), nil
	case slices.Contains(models, name):
		return judgment.Only(judgment.Judge(name)), standing(set, name), nil
	case slices.Contains(people, name):
		return judgment.Only(judgment.Judge(name)), nil, nil
	}
	return nil, nil, fmt.Errorf("--judge %s: nobody of this name has judged in %s; give people, models, all or one of %s",
		name, set.Name, offset.Line(strings.Join(append(people, models...), ", ")))
}

// standing says of models whose grades count alone whether they agree with people.
func standing(set *judgment.Set, models ...string) []retrieval.Notice {
	var all []retrieval.Notice
	list := set.Judgments()
	for _, name := range models {
		s := judgment.StandingOf(list, judgment.Judge(name))
		all = append(all, retrieval.Notice{Code: phrase.NoticeByModels.Code, Warning: !s.Alone, Text: offset.Line(s.Why)})
	}
	return all
}

// WhoJudges is the name of who judges: of a setting, which may not stand for others, or the
// user's; "me" where that is none.
func WhoJudges(setting, name, user string) (string, error) {
	if name != "" {
		if err := judgment.CheckPerson(name); err != nil {
			return "", fmt.Errorf("%s: %w", setting, err)
		}
		return name, nil
	}
	if user != "" && judgment.CheckPerson(user) == nil {
		return user, nil
	}
	return "me", nil
}
