package peephole_test

import (
	"testing"

	"shoal/internal/golden"
	"shoal/peephole"
)

// TestGeneratedRules compares RULES.md with the tables of rules.
func TestGeneratedRules(t *testing.T) {
	var examples [][]string
	for _, r := range peephole.Rules() {
		if r.Do != nil {
			examples = append(examples, []string{r.Name, "`" + r.Example + "`"})
		}
	}
	golden.File(t, "RULES.md", `# The rules

Written by go test ./peephole -update from the tables in rules_*.go, in the order in which
the rules are tried on a node. x, y, z and w stand for any value, C to F for constants; W is
the width of words, {...} is computed when the rule applies.

`+golden.Table(peephole.RuleColumns, peephole.RuleRows())+`
## Examples

What the rules that are functions do, in the first chapter that has them.

`+golden.Table([]string{"Rule", "Example"}, examples))
}
