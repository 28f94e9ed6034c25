package storage_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"retrace/engine/roadnet"
	"retrace/engine/trajectory"
	"retrace/storage"
	"retrace/storage/storagetest"
)

// childEnv makes the test binary work on a workspace until it is killed.
const childEnv = "RETRACE_TEST_WORKSPACE"

// failedStatus is how it ends by itself. Windows has killed programs end with 1.
const failedStatus = 3

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		if err := work(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(failedStatus)
		}
	}
	os.Exit(m.Run())
}

// The work goes in rounds, each of which saves, and says so when it is done.
// Round n saves the trips and recoveries of n, a network where n is even,
// removes the trips of n-keepRounds, and compacts now and then.
const (
	keepRounds   = 6
	tripsOfRound = 20
	lastRound    = "last round"
)

func work(path string) error {
	w, err := storage.Open(path, storage.Options{Timeout: 5 * time.Second}.WithBatches(8<<10))
	if err != nil {
		return err
	}
	value, _, err := w.Setting(lastRound)
	if err != nil {
		return err
	}
	n, _ := strconv.Atoi(string(value))
	for {
		n++
		if err := round(w, n); err != nil {
			return err
		}
		fmt.Println(n)
	}
}

func round(w *storage.Workspace, n int) error {
	ctx := context.Background()
	net := named("net", uint64(n/2))
	if n%2 == 0 {
		if err := w.ReplaceNetwork(ctx, net, background(), []byte(strconv.Itoa(n))); err != nil {
			return err
		}
	}
	ts := tripsOf(n)
	if _, err := w.SaveTrajectories(ctx, ts); err != nil {
		return err
	}
	var rs []*trajectory.Recovery
	for _, trip := range ts {
		rs = append(rs, recovery(trip, "hmm", net.Info()))
	}
	if err := w.SaveRecoveries(ctx, rs); err != nil {
		return err
	}
	if err := w.RemoveTrajectories(ctx, idsOf(tripsOf(n-keepRounds))); err != nil {
		return err
	}
	if n%5 == 0 {
		if err := w.Compact(ctx); err != nil {
			return err
		}
	}
	if err := w.Apply(ctx, pinEdit(n, ts[0], net.Info())); err != nil {
		return err
	}
	return w.SetSetting(lastRound, []byte(strconv.Itoa(n)))
}

// pinEdit is what pinning a trip changes: it is recovered another way, the pin
// is kept, and a step holds what was before.
func pinEdit(n int, t *trajectory.Trajectory, on roadnet.Info) storage.Edit {
	return storage.Edit{
		Recoveries: []*trajectory.Recovery{recovery(t, "pinned", on)},
		Settings:   map[string][]byte{"pinned": []byte(strconv.Itoa(n))},
		Forgotten:  []uint64{uint64(max(n-3, 0))},
		Steps:      []storage.Step{stepOf(uint64(n), []*trajectory.Trajectory{t}, []*trajectory.Recovery{recovery(t, "hmm", on)})},
	}
}

func tripsOf(n int) []*trajectory.Trajectory {
	if n < 1 {
		return nil
	}
	return trips(n*tripsOfRound, tripsOfRound)
}

func idsOf(ts []*trajectory.Trajectory) []string {
	var ids []string
	for _, t := range ts {
		ids = append(ids, t.ID)
	}
	return ids
}

func TestKilledProgramLosesNoFinishedWork(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	kills, enough := 100, 30*time.Second
	if testing.Short() {
		kills = 10
	}
	pace := paceOf(t, path)
	finished := checkRound(t, path, 0)
	first, start, done := finished, time.Now(), 0
	for ; done < kills && time.Since(start) < enough && !t.Failed(); done++ {
		said := workAndKill(t, path, rand.N(4*pace))
		finished = checkRound(t, path, max(finished, said))
	}
	t.Logf("%d rounds of %v finished under %d kills", finished-first, pace, done)
	if finished-first < done/20 {
		t.Errorf("only %d rounds were finished under %d kills: the test has tested little", finished-first, done)
	}
}

// paceOf measures how long a round takes here.
func paceOf(t *testing.T, path string) time.Duration {
	t.Helper()
	const rounds = 5
	cmd := worker(path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	lines.Scan()
	start := time.Now()
	for range rounds {
		lines.Scan()
	}
	pace := time.Since(start) / rounds
	cmd.Process.Kill()
	cmd.Wait()
	os.Remove(path + ".lock")
	return pace
}

// worker is a program that works on the workspace.
func worker(path string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

// waitForLock waits until a program says that it holds the workspace, or half
// a minute.
func waitForLock(path string) {
	for range 30_000 {
		if _, err := os.Stat(path + ".lock"); err == nil {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestAnotherProgramIsNamedWhileItLives(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w")
	cmd := worker(path)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitForLock(path)
	_, err := storage.Open(path, storage.Options{Timeout: 100 * time.Millisecond})
	var locked *storage.LockedError
	if !errors.As(err, &locked) || locked.Holder == nil || locked.Holder.PID != cmd.Process.Pid {
		t.Errorf("got %v", err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	storagetest.MustOpen(t, path, storage.Options{})
}

// workAndKill lets a program work on the workspace and kills it some time after
// its first sign of life. It returns the last round that it had finished.
func workAndKill(t *testing.T, path string, after time.Duration) int {
	t.Helper()
	cmd := worker(path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		waitForLock(path)
		time.Sleep(after)
		cmd.Process.Kill()
	}()
	last := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		last, _ = strconv.Atoi(lines.Text())
	}
	if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() == failedStatus {
		t.Fatalf("the program ended by itself: %v", err)
	}
	os.Remove(path + ".lock") // so that the next one is seen to start
	return last
}

// checkRound checks that the workspace is whole and holds what was saved up to
// a round; the next one may be there or not. It returns the last round that was
// finished, which may be one more than the program could say.
func checkRound(t *testing.T, path string, said int) int {
	t.Helper()
	if _, err := os.Stat(path); os.IsNotExist(err) && said == 0 {
		return 0
	}
	storagetest.Check(t, path)
	w := storagetest.MustOpen(t, path, storage.Options{})
	defer w.Close()
	value, _, err := w.Setting(lastRound)
	if err != nil {
		t.Fatal(err)
	}
	finished, _ := strconv.Atoi(string(value))
	if finished < said {
		t.Errorf("round %d was finished, and the workspace is at %d", said, finished)
	}
	checkTripsOf(t, w, finished)
	checkPinOf(t, w)
	if finished >= 2 {
		checkNetworkOf(t, w, finished)
	}
	return finished
}

func checkTripsOf(t *testing.T, w *storage.Workspace, finished int) {
	t.Helper()
	for n := max(1, finished+2-keepRounds); n <= finished; n++ {
		for _, id := range idsOf(tripsOf(n)) {
			_, before := w.Recovery(id, "hmm")
			if _, err := w.Recovery(id, "pinned"); err != nil && before != nil {
				t.Errorf("round %d of %d: %v", n, finished, before)
			}
			if _, err := w.Trajectory(id); err != nil {
				t.Errorf("round %d of %d: %v", n, finished, err)
			}
		}
	}
	if known, err := w.KnownTrajectories(idsOf(tripsOf(finished - keepRounds))); err != nil || len(known) > 0 {
		t.Errorf("%v were removed and are back, %v", known, err)
	}
}

// checkPinOf checks that the last pin, the recovery that it led to and the step
// that holds the one before are all there, or none of them.
func checkPinOf(t *testing.T, w *storage.Workspace) {
	t.Helper()
	value, ok, err := w.Setting("pinned")
	if err != nil {
		t.Fatal(err)
	}
	steps, lost, err := w.Steps(context.Background())
	if err != nil || len(lost) > 0 {
		t.Fatalf("steps %d are not whole, %v", lost, err)
	}
	if !ok {
		return
	}
	n, _ := strconv.Atoi(string(value))
	if len(steps) == 0 || steps[len(steps)-1].Number != uint64(n) {
		t.Fatalf("pin %d is kept, its step is not among %d", n, len(steps))
	}
	id := tripsOf(n)[0].ID
	if _, err := w.Recovery(id, "pinned"); err != nil {
		t.Error(err)
	}
	_, before, err := w.HeldRecords(uint64(n), 0)
	if err != nil || before == nil || before.Trajectory != id {
		t.Errorf("step %d holds %v, %v", n, before, err)
	}
}

func checkNetworkOf(t *testing.T, w *storage.Workspace, finished int) {
	t.Helper()
	net, bm, err := w.LoadNetwork(context.Background(), "net")
	if err != nil || bm == nil {
		t.Fatal(bm, err)
	}
	got := net.Info().Fingerprint
	if got != named("net", uint64(finished/2)).Info().Fingerprint && got != named("net", uint64((finished+1)/2)).Info().Fingerprint {
		t.Errorf("after round %d the network is another one", finished)
	}
}
