#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the documentation: every relative link leads to a file that exists.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Prints "file:line:target" for each link outside of code.
links() {
  git ls-files -z --cached --others --exclude-standard -- '*.md' | xargs -0 awk '
    FNR == 1 { code = 0 }
    /^ *```/ { code = !code; next }
    code || /^    / { next }
    {
      gsub(/`[^`]*`/, "")
      while (match($0, /\]\([^)]+\)/)) {
        print FILENAME ":" FNR ":" substr($0, RSTART + 2, RLENGTH - 3)
        $0 = substr($0, RSTART + RLENGTH)
      }
    }'
}

status=0
while IFS=: read -r file line target; do
  target=${target%%#*}
  case $target in '' | http://* | https://* | mailto:*) continue ;; esac
  [ -e "$(dirname "$file")/$target" ] || { echo "$file:$line: no such file: $target"; status=1; }
done < <(links)
exit $status
