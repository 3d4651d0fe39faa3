BLANK = 0


def greedy(log_probs):
    best = log_probs.argmax(-1).T.tolist()
    out = []
    for seq in best:
        prev, res = BLANK, []
        for s in seq:
            if s != prev and s != BLANK:
                res.append(s)
            prev = s
        out.append(res)
    return out


def edit_distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        prev, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            prev, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, prev + (x != y))
    return row[-1]
