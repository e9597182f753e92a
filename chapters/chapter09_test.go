//go:build !chapters || chapter09

package chapters

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"shoal/node/types"
)

func TestChapter09(t *testing.T) { suite(t, 9) }

// Top and bottom of the whole lattice against those of the integers: meet goes down, join
// goes up, and each is the other upside down.
func TestChapter09Meets(t *testing.T) {
	tests := []struct {
		name       string
		a, b       types.Type
		meet, join types.Type
	}{
		{"top, integer top", types.Top, types.IntTop, types.IntTop, types.Top},
		{"top, integer bottom", types.Top, types.Int, types.Int, types.Top},
		{"bottom, integer top", types.Bot, types.IntTop, types.Bot, types.IntTop},
		{"bottom, integer bottom", types.Bot, types.Int, types.Bot, types.Int},
		{"integer top, integer bottom", types.IntTop, types.Int, types.Int, types.IntTop},
		{"integer top, constant", types.IntTop, types.Const(3), types.Const(3), types.IntTop},
		{"two constants", types.Const(3), types.Const(4), types.Int, types.IntTop},
		{"one constant", types.Const(3), types.Const(3), types.Const(3), types.Const(3)},
		{"live and dead control", types.Ctrl, types.XCtrl, types.Ctrl, types.XCtrl},
		{"control and an integer", types.Ctrl, types.Int, types.Bot, types.Top},
	}
	for _, tt := range tests {
		for _, swapped := range []bool{false, true} {
			a, b := tt.a, tt.b
			if swapped {
				a, b = b, a
			}
			got := []string{types.Flat.Meet(a, b).String(), types.Flat.Narrow(types.Flat.Join(a, b)).String()}
			if diff := cmp.Diff([]string{tt.meet.String(), tt.join.String()}, got); diff != "" {
				t.Errorf("%s: meet, join (-want +got):\n%s", tt.name, diff)
			}
		}
	}
}
