import json

import torch


def load(graph_file, answer_file):
    with open(graph_file) as f:
        graphs = [json.loads(line) for line in f]
    with open(answer_file) as f:
        head = f.readline().split()
        col = head.index("log10_sag")
        sag = [float(line.split()[col]) for line in f]
    if len(sag) != len(graphs):
        raise SystemExit(f"{graph_file}: {len(graphs)} trusses, {answer_file}: {len(sag)} answers")
    return [as_tensors(g) for g in graphs], torch.tensor(sag)


def as_tensors(g):
    xy = torch.tensor(g["joints"]) / 100
    load = torch.zeros(len(xy))
    for j, kn in g["loads"]:
        load[j] = kn / 40
    fixed = torch.zeros(len(xy), 2)
    fixed[g["pin"]] = 1.0
    fixed[g["roller"], 1] = 1.0
    a, b = torch.tensor(g["bars"]).t()
    d = xy[b] - xy[a]
    length = d.norm(dim=1)
    area = torch.tensor(g["area"]) / 20
    slope = (d / length[:, None]).abs()
    edge = torch.stack([length / 3, torch.log(area), area, slope[:, 0], slope[:, 1]], 1)
    mid = xy[:, 0].max() / 2
    node = torch.stack([(xy[:, 0] - mid).abs() / 6, xy[:, 1] / 2, load, fixed[:, 0], fixed[:, 1]], 1)
    return {"v": node, "e": edge, "a": a, "b": b}


def collate(gs):
    va, off = [], 0
    for g in gs:
        va.append(off)
        off += len(g["v"])
    return {
        "v": torch.cat([g["v"] for g in gs]),
        "e": torch.cat([g["e"] for g in gs]),
        "a": torch.cat([g["a"] + o for g, o in zip(gs, va)]),
        "b": torch.cat([g["b"] + o for g, o in zip(gs, va)]),
        "vg": torch.cat([torch.full((len(g["v"]),), i) for i, g in enumerate(gs)]),
        "eg": torch.cat([torch.full((len(g["e"]),), i) for i, g in enumerate(gs)]),
        "n": len(gs),
    }
