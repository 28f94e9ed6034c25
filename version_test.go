package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The version stands in the file VERSION; what must repeat it says the same.
func TestTheVersionIsTheSameEverywhere(t *testing.T) {
	version := strings.TrimSpace(release)
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(version) {
		t.Fatalf("VERSION holds %q, which is no version", version)
	}
	for file, pattern := range map[string]string{
		"FyneApp.toml": `(?m)^Version = "(.+)"$`,
		"CHANGELOG.md": `(?m)^## \[(\d.*?)\] - \d{4}-\d\d-\d\d$`, // the newest release comes first
	} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(pattern).FindStringSubmatch(string(text))
		if found == nil || found[1] != version {
			t.Errorf("%s does not say version %s: %q", file, version, found)
		}
	}
}

func TestABuildThatIsNoReleaseNamesItsCommit(t *testing.T) {
	if got := versionText(); got != strings.TrimSpace(release) {
		t.Errorf("a release calls itself %q", got)
	}
}

// Without a window, too: Windows knows no zones by their names, nor do small systems.
func TestZonesAreBuiltIn(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-tags", "ci", ".").Output()
	if err != nil {
		t.Skip("no Go here:", err)
	}
	if !strings.Contains(string(out), "\ntime/tzdata\n") {
		t.Error("the program has no zone database of its own")
	}
}
