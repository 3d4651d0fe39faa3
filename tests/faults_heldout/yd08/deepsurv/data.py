import numpy as np
import torch


def load_cohort(path):
    with open(path) as fh:
        names = fh.readline().strip().split(",")
        table = np.loadtxt(fh, delimiter=",")
    cols = {n: table[:, i] for i, n in enumerate(names)}
    cols["crp"] = np.log(cols["crp"])
    cols["creatinine"] = np.log(cols["creatinine"])
    x = np.stack([cols[n] for n in names[:-2]], axis=1)
    return x, cols["months"], cols["died"]


class Cohort:
    def __init__(self, x, months, died):
        self.x = torch.as_tensor(x, dtype=torch.float32)
        self.months = torch.as_tensor(months, dtype=torch.float32)
        self.died = torch.as_tensor(died, dtype=torch.float32)

    def __len__(self):
        return len(self.x)

    def by_follow_up(self):
        """Longest follow-up first, so that the risk set of row i is rows 0..i."""
        order = torch.argsort(self.months, descending=True)
        self.months, self.died = self.months[order], self.died[order]
        return self


def prepare(path, test_share=0.25, seed=0):
    x, months, died = load_cohort(path)
    order = np.random.default_rng(seed).permutation(len(x))
    cut = int(len(x) * (1 - test_share))
    tr, te = order[:cut], order[cut:]
    mean, std = x[tr].mean(0), x[tr].std(0)
    x = (x - mean) / std
    return Cohort(x[tr], months[tr], died[tr]), Cohort(x[te], months[te], died[te])
