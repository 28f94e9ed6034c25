package work

import (
	"context"

	"retrace/ui/task"
)

// inOrder starts a job that changes the workspace after all such jobs before it
// have ended, so that an undo never overtakes what it undoes.
func (d *Desk) inOrder(title string, job func(context.Context) error, done func(error)) {
	before := d.last
	ended := make(chan struct{})
	d.last = ended
	d.tasks.Start(title, func(ctx context.Context, _ func(task.Progress)) error {
		defer close(ended)
		if before != nil {
			<-before
		}
		return job(ctx)
	}, done)
}
