def best_path(log_probs, lengths, blank=0):
    """Greedy CTC decoding: merge repeats, drop blanks."""
    out = []
    for row, n in zip(log_probs.argmax(-1).tolist(), lengths.tolist()):
        seq, last = [], blank
        for k in row[:n]:
            if k != last and k != blank:
                seq.append(k)
            last = k
        out.append(seq)
    return out


def edit_distance(a, b):
    d = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        prev, d[0] = d[0], i
        for j, y in enumerate(b, 1):
            prev, d[j] = d[j], min(d[j] + 1, d[j - 1] + 1, prev + (x != y))
    return d[-1]
