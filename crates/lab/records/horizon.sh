#!/bin/sh
# How a horizon changes what a coupling is worth. Two arguments: the program, and the trials of each row.
luckless=${1:-luckless}
trials=${2:-1296}
echo "Variance of the difference of one pair of trials, correlation, share of the trials that met,"
echo "and the difference with its standard error; $trials trials a row, 0-ply, seed 1."
while IFS='|' read -r id dice a b; do
  printf '\n%s %s: %s against %s\n\n' "$id" "$dice" "$a" "$b"
  printf '%-8s %-6s %-9s %9s %12s %6s  %s\n' horizon luck coupling variance correlation met difference
  for horizon in 4 8 16 end; do
    truncate=""; [ "$horizon" = end ] || truncate="--truncate $horizon"
    for luck in none net; do
      for coupling in none dice rank quantile hybrid; do
        # shellcheck disable=SC2086
        "$luckless" compare "$id" --dice "$dice" "$a" "$b" --coupling "$coupling" --luck "$luck" $truncate \
          --trials "$trials" --no-store --json |
          jq -r --arg h "$horizon" --arg l "$luck" --arg c "$coupling" \
            '.difference | [$h, $l, $c, .variance, .correlation, (.coalesced / .trials), .equity, .se] | @tsv' |
          awk -F'\t' '{ printf "%-8s %-6s %-9s %9.4f %12.2f %5.1f%%  %+.4f ± %.4f\n", $1, $2, $3, $4, $5, 100*$6, $7, $8 }'
      done
    done
  done
done <<'LIST'
4HPwATDgc/ABMA|21|24/23 13/11|13/10
uxkJMAYbd+YAAA|32|10/5|8/6 8/5
2DYAOB5snoMjAA|42|16/14 8/4|16/12 6/4
LIST
