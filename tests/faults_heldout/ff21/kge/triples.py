import torch


def read_triples(path):
    ent, rel, rows = {}, {}, []
    with open(path) as f:
        for line in f:
            h, r, t = line.split()
            rows.append((ent.setdefault(h, len(ent)), rel.setdefault(r, len(rel)), ent.setdefault(t, len(ent))))
    return torch.tensor(rows), len(ent), len(rel)


def corrupt(batch, n_entities):
    """Replaces head or tail by a random entity."""
    out = batch.clone()
    side = torch.randint(0, 2, (len(batch),)) * 2
    out[torch.arange(len(batch)), side] = torch.randint(n_entities, (len(batch),))
    return out
