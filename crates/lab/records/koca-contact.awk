# Geometric means of Koca's test over the decisions in contact, from koca.csv:
#   awk -f koca-contact.awk koca.csv
# Races are left out: most of those here are a roll or two from their exact values, which thirty-six
# rotated trials all but enumerate, and one has no spread at all. The interval of a ratio is Student's
# for the mean of its logarithms over the decisions: decisions are a random factor, as are the trials,
# and so is the CPU time of a trial, which was measured once for each decision. In brackets [] is the
# narrower interval for these decisions alone and their CPU times as measured; it comes from the intervals
# of the standard deviations, methods taken for independent. The sd of the errors has that interval.
# "sd, CPU": the sd of a rollout that may take as many CPU seconds as 36 trials of independent dice
# with the same luck. Trials, CPU: needed, against independent dice with the same luck; to plain:
# against independent plain dice.
BEGIN { FS = "," }
NR == 1 { next }
{
    gsub(/"ranks, stratified"/, "ranks stratified"); gsub(/"/, "")
    if ($1 == "race") next
    key = $1 "," $2 "," $3 "," $4 "," $5
    if (!(key in seen)) { seen[key] = 1; keys[++n] = key }
    if (!($8 in known)) { known[$8] = 1; methods[++m] = $8 }
    sd[key, $8, $9] = $10
    se[key, $8, $9] = log($12 / $10) / 1.96
    ms[key, $8, $9] = $16
    r[$8, $9] += $14; met[$8, $9] += $15
}
# 97.5% quantile of Student's t, expanded around the normal one.
function student(dof,    z) {
    z = 1.959964
    return z + (z ^ 3 + z) / (4 * dof) + (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / (96 * dof ^ 2)
}
function put(method, luck, base, cpu,    i, k, x, s, q, v, c, d) {
    s = q = v = 0
    for (i = 1; i <= n; i++) {
        k = keys[i]
        x = 2 * log(sd[k, method, luck] / sd[k, "independent", base])
        if (cpu) x += log(ms[k, method, luck] / ms[k, "independent", base])
        s += x; q += x * x
        v += 4 * (se[k, method, luck] ^ 2 + se[k, "independent", base] ^ 2)
    }
    c = 1.96 * sqrt(v) / n
    if (method == "independent" && luck == base) c = 0
    s /= n
    d = q / n - s * s
    d = d > 0 ? student(n - 1) * sqrt(d / (n - 1)) : 0
    return sprintf("%.2f (%.2f–%.2f) [%.2f–%.2f]", exp(s), exp(s - d), exp(s + d), exp(s - c), exp(s + c))
}
END {
    printf "%d decisions in contact\n\n", n
    printf "%-16s %-7s %-22s %-11s %-28s %-28s %-28s %-28s %4s %4s\n", "method", "luck", "sd", \
        "sd, CPU", "trials", "CPU", "trials, to plain", "CPU, to plain", "corr", "met"
    split("plain reduced", lucks, " ")
    for (l = 1; l <= 2; l++) for (j = 1; j <= m; j++) {
        s = t = v = 0
        for (i = 1; i <= n; i++) {
            k = keys[i]
            s += log(sd[k, methods[j], lucks[l]])
            v += se[k, methods[j], lucks[l]] ^ 2
            t += log(ms[k, methods[j], lucks[l]] / ms[k, "independent", lucks[l]]) / 2
        }
        v = 1.96 * sqrt(v) / n
        printf "%-16s %-7s %.4f (%.4f–%.4f) %-11.4f %s %s %s %s %4.2f %3.0f%%\n", methods[j], lucks[l], \
            exp(s / n), exp(s / n - v), exp(s / n + v), exp((s + t) / n), \
            put(methods[j], lucks[l], lucks[l], 0), put(methods[j], lucks[l], lucks[l], 1), \
            put(methods[j], lucks[l], "plain", 0), put(methods[j], lucks[l], "plain", 1), \
            r[methods[j], lucks[l]] / n, 100 * met[methods[j], lucks[l]] / n
    }
    printf "\nThe pilot's choice against the best fixed method of each decision in hindsight, CPU:"
    for (l = 1; l <= 2; l++) {
        s = t = 0
        for (i = 1; i <= n; i++) {
            k = keys[i]; best = 1e9
            for (j = 1; j <= m; j++) if (methods[j] != "auto") for (q = 1; q <= l; q++) {
                w = 2 * log(sd[k, methods[j], lucks[q]]) + log(ms[k, methods[j], lucks[q]])
                if (w < best) best = w
            }
            s += 2 * log(sd[k, "auto", lucks[l]]) + log(ms[k, "auto", lucks[l]]) - best
        }
        printf " %s %.2f", lucks[l], exp(s / n)
    }
    printf "\n"
}
