"""Train a 2d flow-matching generator and track how close its samples are to held-out points."""
import json
import os

import torch

from averaging import AveragedModel
from flows import VelocityField, matching_loss, sample
from toy import make

BASE = os.path.dirname(os.path.abspath(__file__))


def energy_distance(a, b):
    return (2 * torch.cdist(a, b).mean() - torch.cdist(a, a).mean() - torch.cdist(b, b).mean()).item()


def main():
    with open(os.path.join(BASE, "config.json")) as fh:
        cfg = json.load(fh)
    torch.manual_seed(cfg["seed"])
    data, train = cfg["data"], cfg["train"]
    points = make(data["shape"], data["n_train"], data["arms"], cfg["seed"])
    held_out = make(data["shape"], data["n_eval"], data["arms"], cfg["seed"] + 1)

    field = VelocityField(**cfg["model"])
    ema = AveragedModel(field, cfg["ema"]["decay"])
    optimizer = torch.optim.Adam(field.parameters(), lr=train["lr"])

    running, curve = 0.0, []
    for step in range(1, train["steps"] + 1):
        batch = points[torch.randint(len(points), (train["batch_size"],))]
        loss = matching_loss(field, batch)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        ema.update(field)
        running += loss.item()
        if step % cfg["eval_every"] == 0:
            gen = torch.Generator().manual_seed(5)
            draws = sample(ema.module, data["n_eval"], cfg["sampler"]["steps"], gen)
            ed = energy_distance(draws, held_out)
            curve.append([step, running / cfg["eval_every"], ed])
            print(f"step {step:5d} | fm loss {running / cfg['eval_every']:.4f} | energy distance {ed:.4f}", flush=True)
            running = 0.0

    torch.save({"field": field.state_dict(), "ema": ema.module.state_dict()}, os.path.join(BASE, "flow.pt"))
    with open(os.path.join(BASE, "curve.json"), "w") as fh:
        json.dump(curve, fh)


if __name__ == "__main__":
    main()
