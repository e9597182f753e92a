package shoal_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// imports is who may import whom inside the module; no other arrows exist. The packages
// stand in the order in which data flows. Tests may import more.
var imports = map[string]string{
	"source":            "",
	"internal/domtree":  "",
	"node/types":        "source",
	"node":              "node/types source",
	"node/interp":       "internal/heap node node/types",
	"peephole":          "node node/types source",
	"parser":            "node node/types peephole source",
	"gcm":               "internal/domtree internal/heap node node/types",
	"internal/heap":     "node/types",
	"ssa":               "gcm internal/domtree internal/heap node node/types source",
	"ssa/parcopy":       "",
	"ssa/forms":         "internal/heap node source ssa",
	"ssa/destruct":      "internal/heap node source ssa ssa/parcopy",
	"codegen/mach":      "source ssa",
	"codegen/regalloc":  "codegen/mach internal/domtree ssa/parcopy",
	"codegen/amd64":     "codegen/mach node node/types source ssa",
	"codegen/elf":       "codegen/mach",
	"codegen/exec":      "",
	"codegen":           "codegen/amd64 codegen/elf codegen/mach codegen/regalloc source ssa",
	"":                  "codegen gcm node node/types parser source ssa",
	"dump":              "* but nothing imports it except the command and tests",
	"chapters":          "*",
	"cmd/shoal":         "*",
	"internal/golden":   "",
	"internal/smith":    "source",
	"internal/memgraph": "node node/types source",
	"ssa/ssatest":       "node node/types ssa",
}

func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name := local(words[0])
		allowed, ok := imports[name]
		if !ok {
			t.Errorf("package %q is not in the table", name)
			continue
		}
		for _, path := range words[1:] {
			if path != "shoal" && !strings.HasPrefix(path, "shoal/") || strings.HasPrefix(allowed, "*") {
				continue
			}
			if !slices.Contains(strings.Fields(allowed), local(path)) {
				t.Errorf("package %q imports %q", name, local(path))
			}
		}
	}
}

func local(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, "shoal"), "/") }
