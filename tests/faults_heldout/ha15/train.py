import configparser
from pathlib import Path

import torch
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score

from clicklog import ClickLog
from fm import FactorizationMachine

ROOT = Path(__file__).parent


def report(tag, model, ids, click):
    with torch.no_grad():
        z = torch.cat([model(c) for c in ids.split(4096)])
    ll = F.binary_cross_entropy_with_logits(z, click).item()
    p = click.mean()
    base = -(p * p.log() + (1 - p) * (1 - p).log()).item()
    print(f"{tag}: logloss {ll:.4f} (base rate {base:.4f}, lift {1 - ll / base:.3%})  auc {roc_auc_score(click, z):.4f}  "
          f"ctr {p:.4f} / predicted {z.sigmoid().mean():.4f}")


def main():
    cp = configparser.ConfigParser()
    cp.read(ROOT / "settings.ini")
    t = cp["train"]
    torch.manual_seed(t.getint("seed"))
    log = ClickLog(ROOT / cp["data"]["log"], cp["data"].getint("holdout_days"))
    model = FactorizationMachine(sum(log.cards), cp["model"].getint("rank"), log.past[1].mean().item())
    opt = torch.optim.Adagrad(model.parameters(), lr=t.getfloat("lr"))
    l2 = t.getfloat("l2")
    for epoch in range(t.getint("epochs")):
        for k, (ids, click) in enumerate(log.stream(t.getint("batch"))):
            opt.zero_grad()
            loss = F.binary_cross_entropy_with_logits(model(ids), click)
            (loss + l2 * (model.v(ids).square().sum() + model.w(ids).square().sum()) / len(click)).backward()
            opt.step()
            if k % 50 == 0:
                print(f"  epoch {epoch} batch {k:4d} logloss {loss.item():.4f}")
        report(f"epoch {epoch} past", model, *log.past)
        report(f"epoch {epoch} next days", model, *log.future)


if __name__ == "__main__":
    main()
