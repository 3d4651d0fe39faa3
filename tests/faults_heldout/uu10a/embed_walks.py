"""Who walks there? Embeddings of step-sensor features by in-batch contrast.

    python embed_walks.py @options.txt
"""
import argparse

import torch
import torch.nn.functional as F

from gait.half import FixedScale
from gait.tower import Tower
from gait.walks import Walks


def get_args():
    p = argparse.ArgumentParser(fromfile_prefix_chars="@")
    p.add_argument("--epochs", type=int, default=100)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--temperature", type=float, default=0.1)
    p.add_argument("--loss-scale", type=float, default=1024)
    p.add_argument("--held-out", type=int, default=140)
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


@torch.inference_mode()
def recall(tower, walks):
    """Share of recordings whose nearest neighbour is another recording of the same person."""
    tower.eval()
    e = tower(walks.flatten(0, 1))
    who = torch.arange(len(walks)).repeat_interleave(walks.shape[1])
    near = (e @ e.T).fill_diagonal_(-2).argmax(1)
    return (who[near] == who).float().mean().item()


def main():
    a = get_args()
    torch.manual_seed(a.seed)
    walks = Walks(a.held_out)
    tower = Tower(walks.known.shape[-1])
    optimizer = torch.optim.AdamW(tower.parameters(), lr=a.lr, weight_decay=0.05)
    scale = FixedScale(a.loss_scale)
    print(f"new people before training: recall@1 {recall(tower, walks.new):.3f}")
    for epoch in range(1, a.epochs + 1):
        tower.train()
        total, n = 0.0, 0
        for people in torch.randperm(len(walks.known)).split(a.batch_size):
            left, right = walks.pairs(people)
            left, right = (v + 0.2 * torch.randn_like(v) for v in (left, right))
            with torch.autocast("cpu", dtype=torch.float16):
                z = tower(left) @ tower(right).T / a.temperature
                loss = F.cross_entropy(z, torch.arange(len(people)))
            scale.backward(loss)
            scale.step(optimizer)
            total, n = total + loss.item() * len(people), n + len(people)
        if epoch % 10 == 0:
            print(f"epoch {epoch:3d}: contrast {total / n:.3f}, new people recall@1 {recall(tower, walks.new):.3f}")


if __name__ == "__main__":
    main()
