package smith

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// objectText is how an object prints; open are those that it stands in.
func (p *Data) objectText(o *object, open map[*object]bool) string {
	switch {
	case o == nil:
		return "null"
	case open[o]:
		return "$cyclic"
	}
	open[o] = true
	defer delete(open, o)
	var b strings.Builder
	b.WriteString("S{")
	for i, f := range p.fields {
		text := fmt.Sprint(o.cells[i].i)
		if f.kind.bits == 0 {
			text = floatText(o.cells[i].f)
		}
		fmt.Fprintf(&b, "%s=%s,", f.name, text)
	}
	fmt.Fprintf(&b, "next=%s}", p.objectText(o.cells[len(p.fields)].o, open))
	return b.String()
}

// floatText is how Java prints a double, with the fewest digits that tell it apart.
func floatText(x float64) string {
	const low, high = 1e-3, 1e7
	switch a := math.Abs(x); {
	case x != x:
		return "Double.NaN"
	case math.IsInf(x, 1):
		return "Double.POSITIVE_INFINITY"
	case math.IsInf(x, -1):
		return "Double.NEGATIVE_INFINITY"
	case a == 0 || a >= low && a < high:
		text := strconv.FormatFloat(x, 'f', -1, 64)
		if !strings.Contains(text, ".") {
			text += ".0"
		}
		return text
	}
	digits, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	if !strings.Contains(digits, ".") {
		digits += ".0"
	}
	n, _ := strconv.Atoi(exponent)
	return fmt.Sprintf("%sE%d", digits, n)
}
