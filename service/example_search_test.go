package service_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-im/parley/service"
	"github.com/parley-im/parley/service/future"
)

// The examples of section 2 of the paper: a search engine's front end.

var segments = []map[string][]string{
	{"go": {"gophers"}, "go fast": {"rockets"}},
	{"go": {"board games"}, "go fast": {"trains", "sprinters"}},
	{"slow": {"snails"}},
}

// rewrite asks a user service for the personal form of a query.
var rewrite service.Service[string, string] = func(ctx context.Context, query string) (string, error) {
	if query == "slow" {
		<-ctx.Done() // a user service that does not answer
		return "", ctx.Err()
	}
	return query + " fast", nil
}

// querySegment asks one part of the index.
func querySegment(ctx context.Context, segment int, query string) *future.Future[[]string] {
	return future.Go(ctx, func(context.Context) ([]string, error) { return segments[segment][query], nil })
}

// search asks all segments at once and joins their answers.
func search(ctx context.Context, query string) *future.Future[[]string] {
	var answers []*future.Future[[]string]
	for segment := range segments {
		answers = append(answers, querySegment(ctx, segment, query))
	}
	return future.Map(future.Collect(answers...), func(all [][]string) ([]string, error) {
		return slices.Concat(all...), nil
	})
}

// psearch searches for the personal form, or for the query as it stands if that
// does not come in time.
func psearch(ctx context.Context, query string) *future.Future[[]string] {
	personal := future.Within(rewrite.Go(ctx, query), 50*time.Millisecond)
	known := future.Handle(personal, func(err error) (string, error) {
		if errors.Is(err, future.ErrTimeout) {
			return query, nil
		}
		return "", err
	})
	return future.FlatMap(known, func(query string) *future.Future[[]string] { return search(ctx, query) })
}

// rsearch searches on with ever other queries until there are n results. It calls
// itself as often as it takes; the future that it returned first is all it holds.
func rsearch(ctx context.Context, query string, results []string, n int) *future.Future[[]string] {
	if len(results) >= n || query == "" {
		return future.Value(results)
	}
	return future.FlatMap(search(ctx, query), func(more []string) *future.Future[[]string] {
		return rsearch(ctx, permute(query), append(results, more...), n)
	})
}

// permute leaves out the last word.
func permute(query string) string {
	return query[:max(strings.LastIndexByte(query, ' '), 0)]
}

func Example_scatterGather() {
	fmt.Println(search(context.Background(), "go").Await(context.Background()))
	// Output: [gophers board games] <nil>
}

func Example_recursiveSearch() {
	fmt.Println(rsearch(context.Background(), "go fast", nil, 4).Await(context.Background()))
	fmt.Println(rsearch(context.Background(), "go fast", nil, 100).Await(context.Background()))
	// Output:
	// [rockets trains sprinters gophers board games] <nil>
	// [rockets trains sprinters gophers board games] <nil>
}

// The user service that is late is interrupted: the bubble ends with no goroutine
// left in it.
func TestPersonalisedSearch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for query, want := range map[string]string{
			"go":   "[rockets trains sprinters] <nil> after 0s",
			"slow": "[snails] <nil> after 50ms",
		} {
			start := time.Now()
			results, err := psearch(t.Context(), query).Await(t.Context())
			if got := fmt.Sprintf("%v %v after %v", results, err, time.Since(start)); got != want {
				t.Errorf("%s: got %s, want %s", query, got, want)
			}
		}
	})
}

// A crawl of pages that lead to pages: scatter and gather at every level. One
// page that fails ends all that are under way.
func TestCrawl(t *testing.T) {
	pages := map[string][]string{
		"/": {"/a", "/b"}, "/a": {"/a/1", "/a/2"}, "/b": {"/b/1"}, "/a/1": nil, "/a/2": nil, "/b/1": nil,
		"/broken": {"/a", "/gone", "/endless"},
	}
	fetch := service.Service[string, []string](func(ctx context.Context, page string) ([]string, error) {
		if page == "/endless" {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		links, ok := pages[page]
		if !ok {
			return nil, errors.New("no page " + page)
		}
		return links, nil
	})
	var crawl func(ctx context.Context, page string) *future.Future[[]string]
	crawl = func(ctx context.Context, page string) *future.Future[[]string] {
		return future.FlatMap(fetch.Go(ctx, page), func(links []string) *future.Future[[]string] {
			var below []*future.Future[[]string]
			for _, link := range links {
				below = append(below, crawl(ctx, link))
			}
			return future.Map(future.Collect(below...), func(found [][]string) ([]string, error) {
				return append([]string{page}, slices.Concat(found...)...), nil
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		found, err := crawl(t.Context(), "/").Await(t.Context())
		if got := fmt.Sprint(found, err); got != "[/ /a /a/1 /a/2 /b /b/1] <nil>" {
			t.Errorf("got %s", got)
		}
		if found, err := crawl(t.Context(), "/broken").Await(t.Context()); err == nil || err.Error() != "no page /gone" {
			t.Errorf("got %v, %v, want the page that is gone", found, err)
		}
	})
}
