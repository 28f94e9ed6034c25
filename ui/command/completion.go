package command

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"retrace/storage"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish,powershell" help:"bash, zsh, fish or powershell."`
}

func (completionCommand) Help() string {
	return "The script asks retrace itself for what fits, so it stays right with every version. Put it where the shell looks:\n\n" +
		"  bash        retrace completion bash > ~/.local/share/bash-completion/completions/retrace\n" +
		"  zsh         retrace completion zsh > a folder of $fpath, as _retrace\n" +
		"  fish        retrace completion fish > ~/.config/fish/completions/retrace.fish\n" +
		"  PowerShell  retrace completion powershell >> $PROFILE"
}

func (c *completionCommand) Run(s *session) error {
	_, err := fmt.Fprint(s.stdout, completionScript(c.Shell))
	return err
}

// completionScript hands the words typed so far to retrace __complete; where
// that offers nothing, files are completed.
func completionScript(shell string) string {
	switch shell {
	case "bash":
		return `_retrace() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <("${COMP_WORDS[0]}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -o bashdefault -F _retrace retrace
`
	case "zsh":
		return `#compdef retrace
_retrace() {
  local -a fitting
  fitting=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "${fitting[1]}" ]]; then compadd -- "${fitting[@]}"; else _files; fi
}
if [[ "${funcstack[1]}" = _retrace ]]; then _retrace; else compdef _retrace retrace; fi
`
	case "fish":
		return `function __retrace_complete
  set -l typed (commandline -opc) (commandline -ct)
  $typed[1] __complete $typed[2..-1] 2>/dev/null
end
complete -c retrace -a '(__retrace_complete)'
`
	}
	return `Register-ArgumentCompleter -Native -CommandName retrace -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $typed += '' }
  & $commandAst.CommandElements[0].ToString() __complete @typed 2>$null | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}

// completeCommand prints what the last of some words may become, a line each.
type completeCommand struct {
	Words []string `arg:"" optional:"" passthrough:""`
}

func (c *completeCommand) Run(s *session) error {
	if len(c.Words) == 0 {
		return nil
	}
	for _, w := range completions(s.model.Node, c.Words, s.networkNames) {
		if _, err := fmt.Fprintln(s.stdout, w); err != nil {
			return err
		}
	}
	return nil
}

// completions are the ways in which the last word may go on: commands, flags,
// the values of a flag. Networks gives the names that --network takes. Nothing
// means: a file.
func completions(node *kong.Node, words []string, networks func() []string) []string {
	last := words[len(words)-1]
	var before *kong.Flag // whose value is to be typed
	for _, w := range words[:len(words)-1] {
		if before != nil {
			before = nil
			continue
		}
		before = nil
		if flag := flagOf(node, w); flag != nil && !flag.IsBool() {
			before = flag
		}
		for _, child := range node.Children {
			if child.Name == w && child.Type == kong.CommandNode {
				node = child
			}
		}
	}
	var all []string
	switch {
	case before != nil && before.Name == "network":
		all = networks()
	case before != nil:
		all = before.EnumSlice()
	case strings.HasPrefix(last, "-"):
		all = flagNames(node)
	default:
		all = commandNames(node)
		for _, arg := range node.Positional {
			all = append(all, arg.EnumSlice()...)
		}
	}
	return fitting(all, last)
}

// fitting are the words that begin with a prefix.
func fitting(all []string, prefix string) []string {
	var fit []string
	for _, w := range all {
		if w != "" && strings.HasPrefix(w, prefix) {
			fit = append(fit, w)
		}
	}
	return fit
}

// flagOf is the flag of a node that a word names, without its value.
func flagOf(node *kong.Node, word string) *kong.Flag {
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			if word == "--"+flag.Name || flag.Short != 0 && word == "-"+string(flag.Short) {
				return flag
			}
		}
	}
	return nil
}

func flagNames(node *kong.Node) []string {
	var names []string
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			names = append(names, "--"+flag.Name)
		}
	}
	return names
}

func commandNames(node *kong.Node) []string {
	var names []string
	for _, child := range node.Children {
		if !child.Hidden {
			names = append(names, child.Name)
		}
	}
	return names
}

// networkNames are the networks of the workspace; none where it cannot be read.
func (s *session) networkNames() []string {
	path, err := s.workspacePath()
	if err != nil {
		return nil
	}
	w, err := storage.Open(path, storage.Options{ReadOnly: true})
	if err != nil {
		return nil
	}
	defer w.Close()
	infos, err := w.Networks()
	if err != nil {
		return nil
	}
	var names []string
	for _, i := range infos {
		names = append(names, i.Name)
	}
	return names
}
