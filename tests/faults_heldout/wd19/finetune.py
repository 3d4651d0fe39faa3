import json
from pathlib import Path

import numpy as np
import torch

from tuning.backbone import Classifier, load_encoder
from tuning.loop import epoch, evaluate

ROOT = Path(__file__).resolve().parent


def main():
    cfg = json.loads((ROOT / "params.json").read_text())
    torch.manual_seed(cfg["seed"])
    z = np.load(ROOT / cfg["data"])
    x_tr, x_te = [torch.from_numpy(z[k].astype(np.float32) / 40.0).unsqueeze(1) for k in ("x_train", "x_test")]
    y_tr, y_te = [torch.from_numpy(z[k].astype(np.int64)) for k in ("y_train", "y_test")]

    model = Classifier(int(y_tr.max()) + 1)
    n, dropped = load_encoder(model, ROOT / cfg["encoder"])
    print(f"{len(x_tr)} training windows, {len(x_te)} test; encoder tensors restored: {n}, dropped: {dropped}")

    model.encoder.requires_grad_(False)
    opt = torch.optim.Adam(model.head.parameters(), lr=cfg["head"]["lr"])
    for e in range(1, cfg["head"]["epochs"] + 1):
        tr = epoch(model, x_tr, y_tr, opt, cfg["batch_size"], frozen=True)
        if e % 3 == 0:
            te, acc = evaluate(model, x_te, y_te)
            print(f"head  {e:2d}  train {tr:.4f}  test {te:.4f}  acc {acc:.4f}")

    model.encoder.requires_grad_(True)
    f = cfg["full"]
    opt = torch.optim.AdamW([{"params": model.head.parameters(), "lr": f["lr_head"]},
                             {"params": model.encoder.parameters(), "lr": f["lr_encoder"]}],
                            weight_decay=f["weight_decay"])
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, f["epochs"])
    for e in range(1, f["epochs"] + 1):
        tr = epoch(model, x_tr, y_tr, opt, cfg["batch_size"], frozen=False)
        sched.step()
        if e % 2 == 0:
            te, acc = evaluate(model, x_te, y_te)
            print(f"full  {e:2d}  train {tr:.4f}  test {te:.4f}  acc {acc:.4f}")
    torch.save(model.state_dict(), ROOT / "bearing_classifier.pt")


if __name__ == "__main__":
    main()
