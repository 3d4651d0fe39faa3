import json
import pathlib
import time

import torch

from network import TanhNet
from problem import Oscillator

ROOT = pathlib.Path(__file__).parent


def objective(net, system, t, weights):
    pos, vel = system.initial(net)
    eq = system.residual(net, t)
    parts = {
        "position": (pos ** 2).mean(),
        "velocity": (vel ** 2).mean(),
        "equation": (eq ** 2).mean(),
    }
    total = sum(weights[name] * value for name, value in parts.items())
    return total, parts


@torch.no_grad()
def relative_error(net, system, n=300):
    t = torch.linspace(0, system.horizon, n).unsqueeze(1)
    ref = system.exact(t)
    return ((net(t) - ref).norm() / ref.norm()).item()


def main():
    cfg = json.loads((ROOT / "settings.json").read_text())
    tr = cfg["training"]
    torch.manual_seed(tr["seed"])
    system = Oscillator(**cfg["system"])
    net = TanhNet(**cfg["network"])
    optimizer = torch.optim.Adam(net.parameters(), lr=tr["lr"])
    points = torch.linspace(0, system.horizon, tr["collocation"]).unsqueeze(1)

    log, start = [], time.time()
    for it in range(tr["iterations"] + 1):
        optimizer.zero_grad()
        loss, parts = objective(net, system, points, cfg["loss_weights"])
        loss.backward()
        optimizer.step()
        if it % cfg["report_every"] == 0:
            err = relative_error(net, system)
            log.append({"it": it, "loss": loss.item(), "rel_err": err, **{k: v.item() for k, v in parts.items()}})
            print(f"{it:6d}  loss {loss.item():.3e}  pos {parts['position'].item():.2e}  vel {parts['velocity'].item():.2e}"
                  f"  eq {parts['equation'].item():.2e}  rel.err {err:.3f}")
    (ROOT / "log.json").write_text(json.dumps(log, indent=1))
    print(f"finished in {time.time() - start:.1f}s, relative L2 error {relative_error(net, system):.4f}")


if __name__ == "__main__":
    main()
