package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"shoal/chapters"
)

func (a *app) lessonCommand() *cobra.Command {
	var answers []string
	c := &cobra.Command{
		Use:   "lesson [N]",
		Short: "Print the lesson of chapter N, or without N the list; check answers to its questions",
		Long: `Prints the lesson of chapter N as Markdown, or without N the list of lessons.

A lesson asks questions. shoal lesson N --answer Q1=VALUE tells whether an answer is right:
the exit status is 0 if it is and 1, with a hint, if it is not.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				if len(answers) > 0 {
					return fmt.Errorf("--answer: to the question of which lesson?")
				}
				return a.listLessons()
			}
			l, ok, err := chapters.LessonNamed(args[0])
			switch {
			case err != nil:
				return err
			case !ok:
				return fmt.Errorf("there is no lesson %q; shoal lesson lists them", args[0])
			case len(answers) > 0:
				return a.checkAnswers(l, answers)
			}
			_, err = fmt.Fprint(a.out, l.Page())
			return err
		},
	}
	c.Flags().StringArrayVar(&answers, "answer", nil, "check an answer, as in Q1=42")
	return c
}

func (a *app) listLessons() error {
	lessons, err := chapters.Lessons()
	if err != nil {
		return err
	}
	return a.table("LESSON\tTITLE", func(w *tabwriter.Writer) {
		for _, l := range lessons {
			fmt.Fprintf(w, "%s\t%s\n", l.Name, l.Title)
		}
	})
}

// checkAnswers checks answers of the form Q1=VALUE; the error is the status.
func (a *app) checkAnswers(l *chapters.Lesson, answers []string) error {
	wrong := false
	for _, text := range answers {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return fmt.Errorf("--answer must be written as Q1=VALUE, not %q", text)
		}
		q, err := question(l, strings.TrimSpace(name))
		if err != nil {
			return err
		}
		right, err := compute(l, q)
		if err != nil {
			return err
		}
		if chapters.SameAnswer(value, right) {
			fmt.Fprintf(a.out, "%s: right.\n", q.Name)
			continue
		}
		wrong = true
		fmt.Fprintf(a.out, "%s: not %s. %s\n", q.Name, strings.TrimSpace(value), q.Hint)
	}
	if wrong {
		return exitStatus(statusErrors)
	}
	return nil
}

func question(l *chapters.Lesson, name string) (*chapters.Question, error) {
	questions, err := l.Questions()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, q := range questions {
		if strings.EqualFold(q.Name, name) {
			return q, nil
		}
		names = append(names, q.Name)
	}
	return nil, fmt.Errorf("--answer: lesson %s has no question %q, but %s", l.Name, name, strings.Join(names, ", "))
}

// compute runs the command that has the answer. The files of the lesson come from its page,
// for shoal may run where the project is not.
func compute(l *chapters.Lesson, q *chapters.Question) (string, error) {
	dir, err := os.MkdirTemp("", "shoal-lesson-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	files := l.Files()
	var args []string
	for _, word := range q.Command[1:] {
		if text, ok := files[word]; ok {
			word = filepath.Join(dir, filepath.Base(word))
			if err := os.WriteFile(word, []byte(text), 0o666); err != nil {
				return "", err
			}
		}
		args = append(args, word)
	}
	var out bytes.Buffer
	if status := run(args, strings.NewReader(""), &out, &out); status > statusErrors {
		return "", fmt.Errorf("%s: %s: status %d: %s", q.Name, strings.Join(q.Command, " "), status, out.String())
	}
	return q.Answer(out.String())
}
