import csv

import torch


def read_probes(path):
    with open(path, newline="") as fh:
        rows = csv.reader(fh)
        header = next(rows)
        data = [[float(c) if c else float("nan") for c in r] for r in rows]
    return header, torch.tensor(data)


def read_lab(path):
    with open(path) as fh:
        next(fh)
        return torch.tensor([float(line) for line in fh])


def complete_cases(probes):
    return probes[~probes.isnan().any(dim=1)]


def assemble(probe_path, lab_path):
    _, probes = read_probes(probe_path)
    lab = read_lab(lab_path)
    probes = complete_cases(probes)
    n = min(len(probes), len(lab))
    return probes[:n], lab[:n]


class Standard:
    def __init__(self, t):
        self.mu, self.sd = t.mean(0), t.std(0)

    def __call__(self, t):
        return (t - self.mu) / self.sd

    def back(self, t):
        return t * self.sd + self.mu
