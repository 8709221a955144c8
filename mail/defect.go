package mail

// Defect names something that was wrong with a message and how it was taken.
// The text is constant, so that it can be counted and explained.
type Defect string

// The defects.
const (
	DefectNoHeader       Defect = "no header: the whole is taken as text"
	DefectFromLine       Defect = "mbox From line in front"
	DefectHeaderJunk     Defect = "header line that is no field, joined to the field before"
	DefectHeaderEnd      Defect = "no blank line between header and body"
	DefectHeaderCut      Defect = "header beyond its bound"
	DefectBareCR         Defect = "lines end in bare CR"
	DefectFieldTwice     Defect = "field that may stand once stands twice: the first counts"
	DefectNoDate         Defect = "no usable date"
	DefectNoMessageID    Defect = "no Message-ID"
	DefectNoFrom         Defect = "no usable author"
	DefectContentType    Defect = "Content-Type that cannot be read"
	DefectEncoding       Defect = "unknown transfer encoding: taken as is"
	DefectEncodedParts   Defect = "transfer encoding on a multipart, ignored (RFC 2045 6.4)"
	DefectNoBoundary     Defect = "multipart without a usable boundary"
	DefectOtherBoundary  Defect = "multipart whose parts use another boundary than declared"
	DefectNoParts        Defect = "multipart without parts"
	DefectUnclosed       Defect = "multipart without its closing boundary"
	DefectTooDeep        Defect = "nested beyond the bound: kept opaque"
	DefectTooManyParts   Defect = "parts beyond the bound: the rest is one opaque part"
	DefectCharset        Defect = "charset missing or wrong for the bytes: detected"
	DefectFile           Defect = "file with more parts in it than are looked for: kept whole"
	DefectTextCut        Defect = "text cut at its bound"
	DefectTooManyAddress Defect = "addresses beyond the bound are left out"
)

// defects is a set in order of discovery.
type defects []Defect

func (d *defects) add(x Defect) {
	for _, have := range *d {
		if have == x {
			return
		}
	}
	*d = append(*d, x)
}
