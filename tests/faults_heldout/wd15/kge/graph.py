import torch


class Graph:
    def __init__(self, folder):
        raw = {s: [tuple(l.split("\t")) for l in (folder / f"{s}.tsv").read_text().splitlines()]
               for s in ("train", "valid", "test")}
        names = sorted({e for rows in raw.values() for h, _, t in rows for e in (h, t)})
        rels = sorted({r for rows in raw.values() for _, r, _ in rows})
        self.entity = {n: i for i, n in enumerate(names)}
        self.relation = {n: i for i, n in enumerate(rels)}
        self.split = {s: torch.tensor([[self.entity[h], self.relation[r], self.entity[t]] for h, r, t in rows])
                      for s, rows in raw.items()}
        everything = torch.cat(list(self.split.values()))
        shape = (len(names), len(rels), len(names))
        self.known = torch.zeros(shape, dtype=torch.bool)
        self.known[everything[:, 0], everything[:, 1], everything[:, 2]] = True

    @property
    def n_entities(self):
        return len(self.entity)

    @property
    def n_relations(self):
        return len(self.relation)
