#!/usr/bin/env python3
"""Open Sage (the package bgsage of PyPI) as a player of `luckless duel`.

usage: luckless duel --a 0ply --b 'batch:python3 sage_player.py [1ply|2ply|3ply|truncated1]' …

Reads lines `XGID DICE` or `XGID`, and answers each with a line of JSON, as `luckless eval --batch` does,
with what a duel reads of it. Sage counts plies as eXtreme Gammon does: its 1ply is 0-ply. `cubeless`
behind the level ranks plays without the cube, for money games that have none.
"""
import json
import sys

from bgsage import BgBotAnalyzer

level = sys.argv[1] if len(sys.argv) > 1 else "1ply"
cubeful = "cubeless" not in sys.argv[2:]
analyzer = BgBotAnalyzer(eval_level=level, cubeful=cubeful, parallel_threads=1)


def state_of(xgid):
    """Board of the bottom player, who is on roll, and what Sage wants to know of cube and score."""
    fields = xgid.removeprefix("XGID=").split(":")
    signed = [0 if c == "-" else ord(c) - 64 if c.isupper() else 96 - ord(c) for c in fields[0]]
    # Sage counts the checkers on both bars upwards.
    board = [-signed[0]] + signed[1:]
    cube, owner, _, _, mine, theirs, rule, length = map(lambda f: int(f) if f != "D" else 0, fields[1:9])
    money = length == 0
    return board, dict(
        cube_value=1 << cube,
        cube_owner={0: "centered", 1: "player", -1: "opponent"}[owner],
        away1=0 if money else length - mine,
        away2=0 if money else length - theirs,
        is_crawford=not money and rule == 1,
        jacoby=money and rule & 1 != 0,
        beaver=money and rule & 2 != 0,
    ), fields[4] == "D"


def step(board, source, die):
    """The board after one checker moved; None if it may not."""
    if board[source] <= 0 or (board[25] > 0 and source != 25):
        return None
    target = source - die
    if target <= 0:
        highest = max(p for p in range(1, 26) if board[p] > 0)
        if highest > 6 or (target < 0 and source != highest):
            return None
    elif board[target] < -1:
        return None
    after = list(board)
    after[source] -= 1
    if target > 0:
        if after[target] == -1:
            after[target] = 0
            after[0] += 1
        after[target] += 1
    return after


def steps_to(board, goal, dice):
    """Single steps that lead to a board, or None."""
    if board == goal:
        return []
    if not dice:
        return None
    for source in range(25, 0, -1):
        after = step(board, source, dice[0])
        if after is not None:
            rest = steps_to(after, goal, dice[1:])
            if rest is not None:
                return [(source, source - dice[0])] + rest
    return None


def play_of(board, goal, dice):
    orders = [[dice[0]] * 4] if dice[0] == dice[1] else [dice, dice[::-1]]
    for order in orders:
        steps = steps_to(board, goal, order)
        if steps is not None:
            name = lambda p: "bar" if p == 25 else "off" if p <= 0 else str(p)
            return " ".join(f"{name(a)}/{name(b)}" for a, b in steps)
    raise ValueError("no steps lead to the play")


def answer(line):
    words = line.split()
    board, facts, is_doubled = state_of(words[0])
    if len(words) > 1:
        dice = [int(d) for d in words[1]]
        best = analyzer.checker_play(board, dice[0], dice[1], **facts).moves[0].board
        return {"plays": [{"play": play_of(board, list(best), dice)}]}
    found = analyzer.cube_action(board, **facts)
    if is_doubled:
        reply = "beaver" if found.is_beaver and facts["beaver"] else "take" if found.should_take else "pass"
        return {"answer": reply}
    take = "take" if found.should_take else "pass"
    if found.should_double:
        return {"cube": {"action": f"double/{take}"}}
    return {"cube": {"action": "no double"}}


for line in sys.stdin:
    try:
        print(json.dumps(answer(line)), flush=True)
    except (ValueError, IndexError, KeyError, RuntimeError) as error:
        print(json.dumps({"error": str(error)}), flush=True)
