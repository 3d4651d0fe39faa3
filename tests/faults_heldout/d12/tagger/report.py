from collections import Counter

import torch


def spans(tags):
    """[(start, end, tag)] of equal neighbours other than O."""
    out, start = [], 0
    for i in range(1, len(tags) + 1):
        if i == len(tags) or tags[i] != tags[start]:
            if tags[start] != "O":
                out.append((start, i, tags[start]))
            start = i
    return out


@torch.no_grad()
def predict(model, loader, tag_vocab):
    """Predicted and true tag sequences, cut to their true lengths."""
    model.eval()
    pairs = []
    for x, y, n in loader:
        best = model(x, n).argmax(-1)
        for b, t, k in zip(best.tolist(), y.tolist(), n.tolist()):
            pairs.append(([tag_vocab.itos[i] for i in b[:k]], [tag_vocab.itos[i] for i in t[:k]]))
    model.train()
    return pairs


def span_scores(pairs):
    hit, said, true = Counter(), Counter(), Counter()
    for p, t in pairs:
        sp, st = set(spans(p)), set(spans(t))
        for _, _, tag in sp:
            said[tag] += 1
        for _, _, tag in st:
            true[tag] += 1
        for _, _, tag in sp & st:
            hit[tag] += 1
    table = {}
    for tag in sorted(true):
        prec, rec = hit[tag] / max(1, said[tag]), hit[tag] / true[tag]
        table[tag] = (prec, rec, 2 * prec * rec / max(1e-9, prec + rec))
    return table
