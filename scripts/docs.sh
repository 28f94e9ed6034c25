#!/bin/sh
# Writes the pages under docs that a command makes. usage: docs.sh RETRACE
set -eu
retrace=$1
mkdir -p docs
{
  echo "# The command line"
  echo
  echo "Made by \`make docs\` from the program's own help."
  for command in "" $("$retrace" __complete "" | sort) "networks export" "networks remove" "workspace verify" "workspace salvage" "model show" "model verify" \
    "flow links" "flow turns" "flow od" "flow select" "flow corridor" "flow compare"; do
    echo
    echo "## retrace${command:+ $command}"
    echo
    echo '```'
    # shellcheck disable=SC2086 # a command may be two words
    COLUMNS=100 "$retrace" $command --help
    echo '```'
  done
} >docs/commands.md.part
mv docs/commands.md.part docs/commands.md
