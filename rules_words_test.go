package parley_test

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

func wordRules() []rule {
	return []rule{
		{"words", "the tree holds what is finished and true anywhere: no notes to oneself, no paths or hosts of one machine, no tools of the author", checkWords},
		{"conflicts", "a merge was left half done", checkConflicts},
	}
}

// words are found in any case. Each is spelled so that it does not find itself.
func words() []*regexp.Regexp {
	var all []*regexp.Regexp
	for _, word := range []string{
		`\b(TO[D]O|FIX[M]E|XX[X]|HA[C]K)\b`,
		`\b(cla[u]de|anth[r]opic|open[a]i|chat[g]pt|copi[l]ot|LL[M]s?)\b|\blanguage[ ]model`,
		`(^|[^\w.*/])/(wor[k]|roo[t]|home/[\w]+|User[s])/`,
		`\b(GOPROX[Y]|GONOSUMD[B]|GOSUMD[B]|PIP_INDEX_UR[L])\s*[:=]`,
		`--(index-ur[l]|registr[y])\b`,
		`\b(localhost|127\.0\.0\.1|\w+\.(local|internal|lan|corp)):?\d*/(goproxy|npm|pypi|maven)\b`,
	} {
		all = append(all, regexp.MustCompile(`(?im)`+word))
	}
	return all
}

// checkWords reads all text but checksums and licences. The first word is held
// to upper case, since a list of things to do is an honest phrase.
func checkWords(tree []*source) (all []finding) {
	list := words()
	list[0] = regexp.MustCompile(strings.TrimPrefix(list[0].String(), "(?im)"))
	for _, s := range tree {
		if slices.Contains([]string{"go.sum", "LICENSE", "package-lock.json"}, path.Base(s.path)) || binary(s.text) {
			continue
		}
		for _, word := range list {
			for _, hit := range word.FindAllIndex(s.text, -1) {
				line := 1 + bytes.Count(s.text[:hit[1]], []byte("\n"))
				all = append(all, finding{s.path, line, fmt.Sprintf("%q", s.text[hit[0]:hit[1]])})
			}
		}
	}
	return all
}

func binary(text []byte) bool { return bytes.IndexByte(text[:min(len(text), 8000)], 0) >= 0 }

func checkConflicts(tree []*source) (all []finding) {
	for _, s := range tree {
		for i, line := range bytes.Split(s.text, []byte("\n")) {
			if bytes.HasPrefix(line, []byte("<<<<<<"+"< ")) || bytes.HasPrefix(line, []byte(">>>>>>"+"> ")) {
				all = append(all, finding{s.path, i + 1, "a conflict marker"})
			}
		}
	}
	return all
}
