#!/bin/sh
# What couplings are worth at a depth of play, over all decisions in contact between two plays:
#   plies.sh PROGRAM DECISIONS PLIES TRIALS LUCK...
# A row for each coupling and kind of luck: geometric mean of the variance of the difference, and of variance
# times CPU seconds, over those of independent dice with the same luck; mean correlation of the two results;
# share of the trials that met; CPU milliseconds of a trial of both plays.
luckless=$1 decisions=$2 plies=$3 trials=$4
shift 4
echo "$plies-ply, $trials trials of each decision with each coupling, seed 1"
tab=$(printf '\t')
for luck in "$@"; do
  for coupling in none dice rank quantile hybrid near; do
    while IFS="$tab" read -r kind id dice a b more; do
      if [ "$kind" = race ] || [ -n "$more" ]; then continue; fi
      "$luckless" compare "$id" --dice "$dice" "$a" "$b" --ply "$plies" --coupling "$coupling" \
        --luck "$luck" --trials "$trials" --no-store --json < /dev/null |
        jq -r --arg l "$luck" --arg c "$coupling" --arg k "$id $dice" \
          '[$l, $c, $k, .difference.variance, .difference.correlation, .difference.coalesced, .cpu_seconds] | @tsv'
    done < "$decisions"
  done
done | awk -F'\t' -v trials="$trials" '
  { row = $1 "\t" $2
    if (!(row in n)) rows[++m] = row
    n[row]++
    if ($2 == "none") { v[$1, $3] = $4; t[$1, $3] = $7 }
    variance[row] += log($4 / v[$1, $3]); cpu[row] += log($4 * $7 / v[$1, $3] / t[$1, $3])
    r[row] += $5; met[row] += $6; ms[row] += $7 }
  END {
    printf "\n%-8s %-10s %9s %8s %8s %12s %6s %8s\n", "luck", "coupling", "decisions", "variance", "CPU", "correlation", "met", "ms"
    for (i = 1; i <= m; i++) {
      row = rows[i]; split(row, name, "\t")
      printf "%-8s %-10s %9d %8.2f %8.2f %12.2f %5.1f%% %8.3f\n", name[1], name[2], n[row], exp(variance[row] / n[row]), \
        exp(cpu[row] / n[row]), r[row] / n[row], 100 * met[row] / n[row] / trials, 1000 * ms[row] / n[row] / trials
    }
  }'
