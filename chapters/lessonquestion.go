package chapters

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Question is something a page asks. The page does not know the answer, only where it
// can be read, in a comment of this form:
//
//	<!-- answer Q1
//	run: shoal ir --chapter 5 chapters/chapter05/abs.smp
//	match: Phi\(Region,(.*),arg\)
//	hint: What does the first path give?
//	-->
//
// With "match" the answer is what the group of the first match has; with "count" it is the
// number of matches. A line that begins with a blank goes on with the one before.
type Question struct {
	Name    string   // as in the text: "Q1"
	Command []string // its words; the first is shoal
	Hint    string   // for those who were wrong
	pattern *regexp.Regexp
	count   bool
}

var (
	answer    = regexp.MustCompile(`(?s)<!-- answer (\w+)\n(.*?)-->`)
	continued = regexp.MustCompile(`\n +`)
)

// Questions are the questions of the page in order.
func (l *Lesson) Questions() ([]*Question, error) {
	var questions []*Question
	for _, m := range answer.FindAllStringSubmatch(l.Text, -1) {
		q := &Question{Name: m[1]}
		for line := range strings.Lines(continued.ReplaceAllString(m[2], " ")) {
			if err := q.set(strings.TrimSpace(line)); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", l.File, q.Name, err)
			}
		}
		switch {
		case q.pattern == nil || len(q.Command) < 2 || q.Command[0] != "shoal" || q.Hint == "":
			return nil, fmt.Errorf("%s: %s needs a shoal command to run, match or count, and a hint", l.File, q.Name)
		case !q.count && q.pattern.NumSubexp() != 1:
			return nil, fmt.Errorf("%s: %s: match must have one group, the answer", l.File, q.Name)
		case !strings.Contains(l.Text, "\n"+q.Name+": "):
			return nil, fmt.Errorf("%s: %s is answered but not asked", l.File, q.Name)
		}
		questions = append(questions, q)
	}
	return questions, nil
}

// set sets what one line of the comment says.
func (q *Question) set(line string) (err error) {
	key, value, _ := strings.Cut(line, ": ")
	switch key {
	case "run":
		q.Command = strings.Fields(value)
	case "match", "count":
		q.count = key == "count"
		q.pattern, err = regexp.Compile("(?m)" + value)
	case "hint":
		q.Hint = value
	default:
		err = fmt.Errorf("a line must begin with run, match, count or hint, not %q", key)
	}
	return err
}

// Answer reads the answer in what the command printed.
func (q *Question) Answer(output string) (string, error) {
	if q.count {
		return strconv.Itoa(len(q.pattern.FindAllStringIndex(output, -1))), nil
	}
	m := q.pattern.FindStringSubmatch(output)
	if m == nil {
		return "", fmt.Errorf("%s: nothing in the output matches %v:\n%s", q.Name, q.pattern, output)
	}
	return m[1], nil
}

// SameAnswer tells whether two answers are the same but for white space and a semicolon at
// the end.
func SameAnswer(a, b string) bool { return plain(a) == plain(b) }

func plain(s string) string { return strings.TrimSuffix(strings.Join(strings.Fields(s), ""), ";") }
