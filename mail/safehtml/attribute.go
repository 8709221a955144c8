package safehtml

import (
	"regexp"
	"strings"
)

// Forms of values. A value that has another form loses its attribute.
var valueForms = func() map[string]*regexp.Regexp {
	m := map[string]*regexp.Regexp{}
	for form, names := range map[string]string{
		`(?i)(left|right|center|justify|top|middle|bottom|baseline|absmiddle|all|both|none)`: "align valign clear",
		`[0-9]{1,4}(\.[0-9]{1,3})?(px|%)?`:                                                   "width height border",
		`[0-9]{1,3}`:                                                                         "cellpadding cellspacing hspace vspace colspan rowspan span",
		`-?[0-9]{1,6}`:                                                                       "start value",
		`[a-zA-Z0-9]{1,10}`:                                                                  "type rules frame",
		`[+-]?[0-9]{1,3}`:                                                                    "size",
		`#?[a-zA-Z0-9]{1,30}`:                                                                "color bgcolor",
		`[\p{L}\p{N} ,'._-]{1,200}`:                                                          "face",
		foldHistory + `|` + foldSignature:                                                    "data-fold",
		`(?i)(ltr|rtl|auto)`:                                                                 "dir",
		`[a-zA-Z0-9-]{1,35}`:                                                                 "lang",
		`(?s).{0,1000}`:                                                                      "alt title",
		``:                                                                                   "nowrap noshade reversed open",
		declaration.String() + `(;` + declaration.String() + `)*`: "style",
	} {
		for _, name := range strings.Fields(names) {
			m[name] = whole(form)
		}
	}
	return m
}()

// forms picks the forms of some attributes.
func forms(names string) map[string]*regexp.Regexp {
	m := map[string]*regexp.Regexp{}
	for _, name := range strings.Fields(names) {
		m[name] = valueForms[name]
	}
	return m
}

func whole(form string) *regexp.Regexp    { return regexp.MustCompile(`^(?:` + form + `)$`) }
func exactly(value string) *regexp.Regexp { return whole(regexp.QuoteMeta(value)) }

// value gives an attribute of an element as it may stand.
func value(el element, name, v string) (string, bool) {
	form := el.attrs[name]
	if form == nil {
		form = everywhere[name]
	}
	switch {
	case form == nil:
		return "", false
	case form.MatchString(""): // it is there or not, or may be any text
		if !form.MatchString("x") {
			v = ""
		}
	default:
		v = strings.TrimSpace(v)
	}
	return v, form.MatchString(v)
}
