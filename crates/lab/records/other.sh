#!/bin/sh
# How our review hangs together with another program's, which is in the files (.xg): correlation and mean absolute
# difference over the moves of all of them. Arguments: the program, then the files.
luckless=${1:-luckless}
shift
for file in "$@"; do
  "$luckless" review "$file" --no-store --format json
done | jq -r '
  .games[].moves[] | select(.other) |
  (select(.dice and (.forced | not)) | ["errors of checker plays", .error, .other.error]),
  (select(.dice and .cube) | ["errors of cube decisions", .cube.error, .other.cube_error]),
  (select(.dice | not) | ["errors of cube decisions", .error, .other.error]),
  ["luck of rolls", .luck, .other.luck] |
  select(.[1] != null and .[2] != null) | @tsv' |
  awk -F'\t' '
    { n[$1]++; x[$1] += $2; y[$1] += $3; xx[$1] += $2*$2; yy[$1] += $3*$3; xy[$1] += $2*$3
      d[$1] += ($2 > $3) ? $2 - $3 : $3 - $2 }
    END {
      printf "%-26s %6s %12s %16s\n", "", "number", "correlation", "mean difference"
      for (k in n) {
        sx = xx[k] - x[k]*x[k]/n[k]; sy = yy[k] - y[k]*y[k]/n[k]; s = xy[k] - x[k]*y[k]/n[k]
        printf "%-26s %6d %12.3f %16.4f\n", k, n[k], s / sqrt(sx*sy), d[k] / n[k]
      }
    }' | sort
