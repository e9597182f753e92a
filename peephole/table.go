package peephole

// RuleColumns are the columns of the table of rules, which RULES.md and the command show.
var RuleColumns = []string{"Rule", "Chapters", "Equation", "Source"}

// RuleRows are the rows of that table, in the order in which rules are tried.
func RuleRows() [][]string {
	var rows [][]string
	for _, r := range Rules() {
		rows = append(rows, []string{r.Name, r.Chapters(), r.Equation(), r.Source()})
	}
	return rows
}
