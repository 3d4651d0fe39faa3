"""Learns a joint embedding of molecule fingerprints and their spectra (two-tower retrieval)."""
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn, Tensor

HERE = Path(__file__).parent
HP = json.loads((HERE / "hparams.json").read_text())


def tower(d_in: int, d_out: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(d_in, HP["hidden"]), nn.ReLU(), nn.Linear(HP["hidden"], d_out))


@torch.no_grad()
def unit_sphere(e: Tensor, eps: float = 1e-6) -> Tensor:
    norm = e.norm(dim=-1, keepdim=True).clamp_min(eps)
    return e / norm


class TwoTower(nn.Module):
    def __init__(self, d_mol: int, d_spec: int):
        super().__init__()
        self.mol = tower(d_mol, HP["dim"])
        self.spec = tower(d_spec, HP["dim"])
        self.log_scale = nn.Parameter(torch.tensor(2.0))

    def embed(self, m: Tensor, s: Tensor):
        return unit_sphere(self.mol(m)), unit_sphere(self.spec(s))

    def forward(self, m: Tensor, s: Tensor) -> Tensor:
        a, b = self.embed(m, s)
        return self.log_scale.clamp(max=4.6).exp() * a @ b.T


def info_nce(sim: Tensor) -> Tensor:
    tgt = torch.arange(sim.size(0))
    return 0.5 * (F.cross_entropy(sim, tgt) + F.cross_entropy(sim.T, tgt))


@torch.no_grad()
def recall_at(net: TwoTower, m: Tensor, s: Tensor, k: int) -> float:
    a, b = net.embed(m, s)
    top = (a @ b.T).topk(k, dim=1).indices
    return (top == torch.arange(len(m)).unsqueeze(1)).any(1).float().mean().item()


def main() -> None:
    torch.manual_seed(HP["seed"])
    z = np.load(HERE / "pairs.npz")
    mol, spec = (torch.from_numpy(z[k].astype(np.float32)) for k in ("mol", "spec"))
    n = HP["n_train"]
    net = TwoTower(mol.shape[1], spec.shape[1])
    opt = torch.optim.Adam(net.parameters(), lr=HP["lr"], weight_decay=1e-6)
    for epoch in range(HP["epochs"]):
        losses = []
        for sel in torch.randperm(n).split(HP["batch"]):
            loss = info_nce(net(mol[sel], spec[sel]))
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        r1, r10 = (recall_at(net, mol[n:], spec[n:], k) for k in (1, 10))
        print(f"epoch {epoch + 1}: nce {np.mean(losses):.3f}  R@1 {r1:.3f}  R@10 {r10:.3f}  scale {net.log_scale.exp().item():.1f}")


if __name__ == "__main__":
    main()
