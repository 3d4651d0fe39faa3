import csv

import torch


def read_survey(path):
    with open(path, newline="") as fh:
        rows = [[float(r["east"]), float(r["north"]), float(r["height_m"])] for r in csv.DictReader(fh)]
    t = torch.tensor(rows)
    return t[:, :2], t[:, 2:]


def split(xy, z, every):
    hold = torch.zeros(len(xy), dtype=torch.bool)
    hold[::every] = True
    return (xy[~hold], z[~hold]), (xy[hold], z[hold])
