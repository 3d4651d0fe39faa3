import torch
import torch.nn.functional as F
import yaml
from torch.utils.data import DataLoader

from data import NextItem, holdout, read_sessions
from model import SessionTransformer


@torch.no_grad()
def evaluate(model, x, last, target, k=5):
    model.eval()
    logits = model(x)[torch.arange(len(x)), last]
    loss = F.cross_entropy(logits, target).item()
    top = logits.topk(k, dim=1).indices
    hit1 = (top[:, 0] == target).float().mean().item()
    hitk = (top == target[:, None]).any(1).float().mean().item()
    return loss, hit1, hitk


def main():
    with open("config.yaml") as fh:
        cfg = yaml.safe_load(fh)
    torch.manual_seed(cfg["seed"])

    sessions = read_sessions(cfg["data"]["path"])
    n_items = max(max(s) for s in sessions)
    max_len = cfg["data"]["max_len"]
    loader = DataLoader(NextItem(sessions, max_len), batch_size=cfg["train"]["batch_size"], shuffle=True)
    x_ev, last, target = holdout(sessions, max_len)

    model = SessionTransformer(n_items, max_len, **cfg["model"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["train"]["lr"], weight_decay=cfg["train"]["weight_decay"])
    epochs = cfg["train"]["epochs"]
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, cfg["train"]["lr"], total_steps=epochs * len(loader))

    for epoch in range(1, epochs + 1):
        model.train()
        total, count = 0.0, 0
        for x, y in loader:
            logits = model(x)
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten(), ignore_index=0)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            total += loss.item() * len(x)
            count += len(x)
        ev_loss, hit1, hit5 = evaluate(model, x_ev, last, target)
        print(f"epoch {epoch:02d}  train loss {total / count:.3f}  eval loss {ev_loss:.3f}  hit@1 {hit1:.3f}  hit@5 {hit5:.3f}")


if __name__ == "__main__":
    main()
