// Package canceltest makes contexts for tests of work that is called off.
package canceltest

import (
	"context"
	"math"
)

// Context counts how often the work looks whether it is called off, which it is
// after so many looks. It is for work that looks by Err alone, in one goroutine.
type Context struct {
	context.Context
	Looks int
	most  int
}

// After is a context that is canceled once it was looked at so many times.
func After(looks int) *Context { return &Context{Context: context.Background(), most: looks} }

// Never is a context that is not canceled.
func Never() *Context { return After(math.MaxInt) }

// Err implements context.Context.
func (c *Context) Err() error {
	if c.Looks++; c.Looks > c.most {
		return context.Canceled
	}
	return nil
}
