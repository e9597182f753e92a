package golden

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const before = "What it shows.\n-- in --\n4 words\n-- want.upper --\nold\n"

func TestUpdateRewritesInPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "case.txtar")
	if err := os.WriteFile(file, []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	*update = true
	defer func() { *update = false }()
	test := func(t *testing.T, c *Case) {
		if diff := cmp.Diff("4 words", c.Field("in", "")); diff != "" {
			t.Errorf("field (-want +got):\n%s", diff)
		}
		c.Want("want.upper", "NEW")
		c.Want("want.more", "made\n")
	}
	Run(t, file, test)
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "What it shows.\n-- in --\n4 words\n-- want.upper --\nNEW\n-- want.more --\nmade\n"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("file (-want +got):\n%s", diff)
	}
	*update = false
	Run(t, file, test) // what was written is what is wanted
}
