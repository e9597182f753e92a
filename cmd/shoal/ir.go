package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"shoal"
	"shoal/codegen"
	"shoal/dump"
	"shoal/ssa"
	"shoal/ssa/forms"
)

// A textForm is one of the forms of shoal ir.
type textForm struct {
	after string // the pass that must have run
	write func(a *app, u *shoal.Unit) error
}

var textForms = map[string]textForm{
	"table":   {"parse", func(a *app, u *shoal.Unit) error { return a.writeTables(u) }},
	"blocks":  {"schedule", func(a *app, u *shoal.Unit) error { return a.writeBlocks(u) }},
	"line":    {"parse", func(a *app, u *shoal.Unit) error { return u.WriteLines(a.out) }},
	"args":    {"ssa", func(a *app, u *shoal.Unit) error { return a.writeSSA(u, ssa.FormArgs) }},
	"phi":     {"ssa", func(a *app, u *shoal.Unit) error { return a.writeSSA(u, ssa.FormPhi) }},
	"upsilon": {"ssa", func(a *app, u *shoal.Unit) error { return a.writeSSA(u, ssa.FormUpsilon) }},
	"mach": {"ssa", func(a *app, u *shoal.Unit) error {
		return codegen.WriteMach(a.out, u.Module, codegen.Options{}, codegen.Select)
	}},
	"asm": {"codegen", func(a *app, u *shoal.Unit) error { return u.Program.WriteListing(a.out) }},
}

func (a *app) writeSSA(u *shoal.Unit, to ssa.Form) error {
	m, err := forms.ConvertModule(u.Module, to)
	if err != nil {
		return err
	}
	return ssa.Print(a.out, m)
}

func (a *app) writeTables(u *shoal.Unit) error {
	for _, f := range u.Funcs {
		if err := dump.Rows(u.Opts.Chapter).Write(a.out, f.Graph); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) writeBlocks(u *shoal.Unit) error {
	for _, s := range u.Schedules {
		if err := s.Write(a.out, dump.Rows(u.Opts.Chapter)); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) irCommand() *cobra.Command {
	var after, form string
	c := &cobra.Command{
		Use:   "ir FILE",
		Short: "The program as text: line, table, blocks, args, phi, upsilon, mach or asm",
		Args:  cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f, ok := textForms[form]
			if !ok {
				return fmt.Errorf("--form must be line, table, blocks, args, phi, upsilon, mach or asm")
			}
			until, err := laterPass(after, f.after)
			if err != nil {
				return err
			}
			u, err := a.compile(c, args[0], until, func(o *shoal.Options) { o.Names = true })
			if err != nil {
				return err
			}
			return f.write(a, u)
		},
	}
	c.Flags().StringVar(&after, "after", "optimize", "the pass to stop after")
	c.Flags().StringVar(&form, "form", "line", "the form to print")
	return a.compiling(c)
}

// laterPass is the later of two passes.
func laterPass(after, needed string) (string, error) {
	i, ok := shoal.PassNamed(after)
	if !ok {
		return "", fmt.Errorf("--after: there is no pass %q; shoal passes lists them", after)
	}
	if j, _ := shoal.PassNamed(needed); j > i {
		return needed, nil
	}
	return after, nil
}
