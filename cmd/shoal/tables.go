package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"shoal"
	"shoal/node"
	"shoal/parser"
	"shoal/peephole"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain CODE",
		Short: "The long text of a diagnostic, with its example; without CODE, the list",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			for _, m := range parser.Messages {
				if len(args) == 0 {
					fmt.Fprintln(a.out, m.Code)
					continue
				}
				if m.Code != args[0] {
					continue
				}
				fmt.Fprintf(a.out, "%s: %s\n\n%s\n", m.Code, m.Format, m.Explain)
				if m.Example != "" {
					fmt.Fprintf(a.out, "\nExample (chapter %d):\n\n    %s\n", m.Level, strings.ReplaceAll(m.Example, "\n", "\n    "))
				}
				return nil
			}
			if len(args) > 0 {
				return fmt.Errorf("no diagnostic has the code %q; shoal explain lists them", args[0])
			}
			return nil
		},
	}
}

// table writes rows with aligned columns.
func (a *app) table(header string, rows func(w *tabwriter.Writer)) error {
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, header)
	rows(w)
	return w.Flush()
}

// rows writes a table that is there as rows.
func (a *app) rows(header []string, rows [][]string) error {
	return a.table(strings.ToUpper(strings.Join(header, "\t")), func(w *tabwriter.Writer) {
		for _, r := range rows {
			fmt.Fprintln(w, strings.Join(r, "\t"))
		}
	})
}

func (a *app) passesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "passes", Short: "The passes in order, with their chapters", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.table("PASS\tCHAPTER\tWHAT IT DOES", func(w *tabwriter.Writer) {
				for _, p := range shoal.Pipeline {
					fmt.Fprintf(w, "%s\t%d\t%s\n", p.Name, p.Since, p.Doc)
				}
			})
		},
	}
}

func (a *app) rulesCommand() *cobra.Command {
	return &cobra.Command{
		Use: "rules", Short: "The rules with equation and source", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.rows(peephole.RuleColumns, peephole.RuleRows())
		},
	}
}

func (a *app) opsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "ops", Short: "The ops and what they mean", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return a.rows(node.OpColumns, node.OpRows())
		},
	}
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "The version of shoal", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.out, "shoal", shoal.Version)
			return err
		},
	}
}
