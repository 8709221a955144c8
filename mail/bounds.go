package mail

// The bounds. A message beyond one of them is still taken; the excess is
// opaque or cut, and a Defect says so.
const (
	MaxDepth       = 50        // nesting of multiparts and messages
	MaxParts       = 1000      // parts of one message
	MaxHeaderBytes = 256 << 10 // one header block
	MaxFields      = 2000      // fields of one header block
	MaxAddresses   = 2000      // addresses of one field
	MaxReferences  = 101       // ids of References: the first and the last 100
	MaxIDBytes     = 998       // one Message-ID: RFC 5322 2.1.1, a line
	MaxTextBytes   = 1 << 20   // Message.Text
	MaxHTMLBytes   = 4 << 20   // Message.HTML
	MaxNameBytes   = 1000      // a display name
	MaxSubject     = 4000      // bytes of Subject
	MaxFilename    = 255       // bytes of a file name, what file systems take

	maxBoundary   = 1000      // RFC 2046 5.1.1 says 70; mailers say more
	maxUnfinished = 3         // multiparts scanned again for the boundary they really use
	maxDetections = 64        // statistical charset guesses in one message
	maxNested     = 3         // files with parts in them, inside one another
	maxHeld       = 4 << 20   // of the content of such a file in memory
	maxWithin     = 256 << 20 // bytes walked through for the parts in files
	maxRewinds    = 10        // times that a large file is begun again
	maxCalendar   = 256 << 10 // bytes of an invitation that are read
	detectSample  = 8 << 10
)
