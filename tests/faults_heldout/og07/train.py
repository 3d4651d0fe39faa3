import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

import data
from recommender import NextTrack


@torch.no_grad()
def next_track_quality(model, sessions):
    """Predict the last play of sessions nobody trained on."""
    model.eval()
    hist = torch.stack([data.pad_left(s[:-1]) for s in sessions])
    goal = torch.as_tensor(sessions[:, -1])
    logits = model(hist)
    hit = (logits.topk(5, dim=1).indices == goal[:, None]).any(1).float().mean()
    return F.cross_entropy(logits, goal).item(), hit.item()


def main(args):
    torch.manual_seed(args.seed)
    seen, unseen = data.load()
    loader = DataLoader(data.Plays(seen), batch_size=args.bs, shuffle=True)
    model = NextTrack(n_items=int(seen.max()))
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)
    for ep in range(args.epochs):
        model.train()
        total = 0.0
        for hist, item in loader:
            loss = F.cross_entropy(model(hist), item)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        nll, hit = next_track_quality(model, unseen)
        print(f"epoch {ep}: train nll {total / len(loader):.3f} | new users nll {nll:.3f} hit@5 {hit:.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=5)
    p.add_argument("--bs", type=int, default=128)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--seed", type=int, default=2)
    main(p.parse_args())
