// Package chapters has the lessons, one page of Markdown for each chapter of the language;
// its tests are the suites of the chapters.
//
// Needs: nothing; the pages are in the binary. Gives: the pages, the programs they show and
// the questions they ask. Breaks: nothing. A page keeps to these conventions, and the test
// holds it to them:
//
//   - A fenced block "console" is a transcript: a command after "$ ", then what it prints.
//     "console exit=1" tells that the command fails. Commands are for a shell in the root
//     of the project, with shoal on its path.
//   - A fenced block with a second word, such as "simple chapters/chapter05/abs.smp", is
//     the file of that name.
//   - "Q1: ..." asks something. A comment says how shoal finds out the answer, see Question.
//
// A page is written by hand but for the blocks; the flag -update of the test writes those,
// and answers.txt, where a change of an answer shows:
//
//	go test ./chapters -run Lesson -update
//
// Start reading at Lessons.
package chapters

import (
	"embed"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed chapter*/*.md
var pages embed.FS

// A Lesson is one page.
type Lesson struct {
	Name  string // its chapter, and behind a slash its page if it is not the first: "11/leaving-ssa"
	File  string // where it is in this folder
	Title string // its first heading
	Text  string // the Markdown
}

// Lessons are all lessons in the order in which they are to be read.
func Lessons() ([]*Lesson, error) { return lessonsIn(pages) }

func lessonsIn(pages fs.FS) ([]*Lesson, error) {
	files, err := fs.Glob(pages, "chapter*/*.md")
	if err != nil {
		return nil, err
	}
	slices.Sort(files) // README.md comes before pages in small letters
	var lessons []*Lesson
	for _, file := range files {
		text, err := fs.ReadFile(pages, file)
		if err != nil {
			return nil, err
		}
		l := &Lesson{Name: lessonName(file), File: file, Text: string(text)}
		heading, _, _ := strings.Cut(l.Text, "\n")
		l.Title = strings.TrimPrefix(heading, "# ")
		lessons = append(lessons, l)
	}
	return lessons, nil
}

func lessonName(file string) string {
	dir, page := path.Split(file)
	name := strings.TrimLeft(strings.TrimPrefix(path.Clean(dir), "chapter"), "0")
	if page == "README.md" {
		return name
	}
	return name + "/" + strings.TrimSuffix(page, ".md")
}

// LessonNamed finds a lesson; a leading zero of the chapter does not matter.
func LessonNamed(name string) (l *Lesson, ok bool, err error) {
	lessons, err := Lessons()
	if err != nil {
		return nil, false, err
	}
	chapter, page, _ := strings.Cut(name, "/")
	if n, err := strconv.Atoi(chapter); err == nil {
		name = strings.TrimSuffix(strconv.Itoa(n)+"/"+page, "/")
	}
	i := slices.IndexFunc(lessons, func(l *Lesson) bool { return l.Name == name })
	if i < 0 {
		return nil, false, nil
	}
	return lessons[i], true, nil
}

var comment = regexp.MustCompile(`(?s)<!--.*?-->\n*`)

// Page is the text for readers, without the comments, which have the answers.
func (l *Lesson) Page() string { return comment.ReplaceAllString(l.Text, "") }

// A Block is a fenced block.
type Block struct {
	Info       string // what stands behind the fence: the language and more
	Start, End int    // where its lines are in the text, without the fences
}

// Blocks are the fenced blocks in order. A fence has three back quotes or more.
func (l *Lesson) Blocks() []Block {
	var blocks []Block
	fence, at := "", 0
	for line := range strings.Lines(l.Text) {
		text := strings.TrimRight(line, "\n")
		ticks := text[:len(text)-len(strings.TrimLeft(text, "`"))]
		switch {
		case fence == "" && len(ticks) >= 3:
			fence = ticks
			blocks = append(blocks, Block{Info: strings.TrimSpace(text[len(ticks):]), Start: at + len(line)})
		case fence != "" && text == fence:
			fence = ""
			blocks[len(blocks)-1].End = at
		}
		at += len(line)
	}
	if fence != "" {
		blocks[len(blocks)-1].End = at
	}
	return blocks
}

// Shows is the name of the file that b shows.
func (b Block) Shows() (file string, ok bool) {
	words := strings.Fields(b.Info)
	if len(words) != 2 || b.Transcript() {
		return "", false
	}
	return words[1], true
}

// Transcript tells whether b has commands and what they print.
func (b Block) Transcript() bool {
	language, _, _ := strings.Cut(b.Info, " ")
	return language == "console"
}

// Files are the files that the page shows, by name.
func (l *Lesson) Files() map[string]string {
	files := map[string]string{}
	for _, b := range l.Blocks() {
		if name, ok := b.Shows(); ok {
			files[name] = l.Text[b.Start:b.End]
		}
	}
	return files
}
