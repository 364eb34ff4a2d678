#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the documentation: every relative link leads to a file that exists.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

status=0
while IFS=: read -r file line link; do
  target=${link#*](}
  target=${target%)}
  target=${target%%#*}
  case $target in '' | http://* | https://* | mailto:*) continue ;; esac
  [ -e "$(dirname "$file")/$target" ] || { echo "$file:$line: no such file: $target"; status=1; }
done < <(git ls-files -z --cached --others --exclude-standard -- '*.md' | xargs -0 grep -HnoE '\]\([^)]+\)')
exit $status
