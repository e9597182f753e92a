package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// explainUsage lets complaints about the number of arguments say what the command takes.
func explainUsage(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(c *cobra.Command, args []string) error {
			if err := check(c, args); err != nil {
				return fmt.Errorf("%s takes other arguments; usage: %s", c.CommandPath(), c.UseLine())
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		explainUsage(sub)
	}
}

// isNegative tells whether a word is a negative number, which looks like flags.
func isNegative(word string) bool {
	digits, ok := strings.CutPrefix(word, "-")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// separate puts a "--" before the arguments and after the flags, if one of the arguments is a
// negative number: shoal eval FILE -5 is meant to work.
func separate(root *cobra.Command, words []string) []string {
	if !slices.ContainsFunc(words, isNegative) {
		return words
	}
	c, rest, err := root.Find(words)
	if err != nil {
		return words
	}
	flags := strings.Fields(c.CommandPath())[1:]
	var args []string
	for len(rest) > 0 && rest[0] != "--" {
		n := 1
		switch word := rest[0]; {
		case len(word) < 2 || word[0] != '-' || isNegative(word):
			args = append(args, word)
			n = 0
		case takesNext(c, word) && len(rest) > 1:
			n = 2
		}
		flags = append(flags, rest[:n]...)
		rest = rest[max(n, 1):]
	}
	if len(rest) > 0 {
		rest = rest[1:] // the "--" itself
	}
	return slices.Concat(flags, []string{"--"}, args, rest)
}

// takesNext tells whether the value of a flag is the next word: that of --chapter is, those
// of --chapter=5, -O2 and --verify are not.
func takesNext(c *cobra.Command, word string) bool {
	if name, ok := strings.CutPrefix(word, "--"); ok {
		f := c.Flag(name)
		return f != nil && f.NoOptDefVal == ""
	}
	f := c.Flags().ShorthandLookup(word[1:2])
	return f != nil && f.NoOptDefVal == "" && len(word) == 2
}

// helpCommand is the help command. Cobra's own takes a command that there is not for a wish
// to see the list.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "What a command does",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return unknownCommand(about, rest)
			}
			return about.Help()
		},
	}
}

// unknownCommand is the error of a group of commands that has none of that name.
func unknownCommand(c *cobra.Command, args []string) error {
	return fmt.Errorf("unknown command %q for %q", args[0], c.CommandPath())
}
