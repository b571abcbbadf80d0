"""Which records are closest to what an attacker knows, through an index of events.

Only records that share an event with what is known are touched; no row of all records is kept
but one, which serves every target in turn.
"""

from numba import njit

from auditor.arrays import Array


@njit(cache=True, nogil=True)
def score_closest(
    targets: tuple[Array, Array, Array],
    index: tuple[Array, Array, Array, Array],
    truth: Array,
    person: Array,
    sizes: Array,
    first: int,
    last: int,
    scratch: tuple[Array, Array],
    out: tuple[Array, Array, Array, Array, Array, Array],
) -> None:
    """Score every record for the targets ``first:last``; O(entries of what each of them knows).

    `targets` are (starts, events, counts): of target t, event ``events[i]`` is known ``counts[i]``
    times for i in ``starts[t]:starts[t + 1]``. `index` is (begins, records, gains, weights): event
    e stands in ``records[p]`` with ``gains[p]`` for p in ``begins[e]:begins[e + 1]``, its count
    there where ``weights[e]`` > 0, and it then adds the weight times the smaller of both counts;
    else what one known occurrence adds. True records of a target are those whose `person` is that
    of ``truth[t]`` (−1 without any); `sizes` counts the records of each person. `scratch` holds the
    score of each record, zero and left so, and room for as many records. Written to `out` are the
    arrays of `LinkageScores`.
    """
    starts, events, counts = targets
    begins, records, gains, weights = index
    score, touched = scratch
    before, level, own_count, top, closest, runners_up = out
    for target in range(first, last):
        count = 0
        for position in range(starts[target], starts[target + 1]):
            event = events[position]
            known_count = counts[position]
            weight = weights[event]
            for place in range(begins[event], begins[event + 1]):
                record = records[place]
                if score[record] == 0.0:
                    touched[count] = record
                    count += 1
                if weight > 0.0:
                    score[record] += weight * min(known_count, gains[place])
                else:
                    score[record] += known_count * gains[place]
        own_score = score[truth[target]] if truth[target] >= 0 else 0.0
        user = person[truth[target]] if truth[target] >= 0 else -1
        is_ambiguous = user >= 0 and sizes[user] > 1
        if is_ambiguous:
            for number in range(count):
                record = touched[number]
                if person[record] == user:
                    own_score = max(own_score, score[record])
        slack = 1e-9 * own_score
        better = 0
        tied = 0
        true = 0 if is_ambiguous else 1
        best, second, first_other, second_other = 0.0, 0.0, 0.0, 0.0
        closest[target] = -1
        for number in range(count):
            record = touched[number]
            value = score[record]
            if value > best:
                second = best
                best = value
                closest[target] = record
            elif value > second:
                second = value
            if own_score - slack <= value <= own_score + slack:
                tied += 1
                if is_ambiguous and person[record] == user:
                    true += 1
                continue
            if is_ambiguous and person[record] == user:
                continue
            if value > own_score:
                better += 1
            if value > first_other:
                second_other = first_other
                first_other = value
            elif value > second_other:
                second_other = value
        top[target, 0], top[target, 1] = best, second
        runners_up[target, 0], runners_up[target, 1] = first_other, second_other
        if truth[target] < 0:
            before[target] = -1
            level[target] = -1
            own_count[target] = -1
        elif own_score == 0.0:  # nothing known points at it: it ties with all that wasn't touched
            before[target] = count
            level[target] = len(score) - count
            own_count[target] = sizes[user]
        else:
            before[target] = better
            level[target] = tied
            own_count[target] = true
        for number in range(count):
            score[touched[number]] = 0.0
