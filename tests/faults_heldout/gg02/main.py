import copy
import json
import sys
from pathlib import Path

import torch
from torch.utils.data import DataLoader

from flatprice import data, engine
from flatprice.net import PriceNet

HERE = Path(__file__).resolve().parent


def main(config_name="config.json"):
    cfg = json.loads((HERE / config_name).read_text())
    torch.manual_seed(cfg["seed"])
    prepared = data.prepare(HERE / cfg["csv"], cfg["split"], cfg["seed"])
    model = PriceNet(prepared.cardinalities, prepared.n_numeric, **cfg["model"])
    o = cfg["optim"]
    loader = DataLoader(prepared.train, batch_size=o["batch_size"], shuffle=True)
    optimizer = torch.optim.AdamW(model.parameters(), lr=o["lr"], weight_decay=o["weight_decay"])
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=o["epochs"], eta_min=1e-5)

    best, best_state = float("inf"), None
    for epoch in range(o["epochs"]):
        tl = engine.train_epoch(model, loader, optimizer)
        scheduler.step()
        m = engine.report(*engine.predict(model, prepared.val), prepared)
        if m["loss"] < best:
            best, best_state = m["loss"], copy.deepcopy(model.state_dict())
        print(f"[{epoch + 1:02d}/{o['epochs']}] train={tl:.4f} val={m['loss']:.4f} r2={m['r2_log']:.3f} mape={m['mape']:.3f}")

    model.load_state_dict(best_state)
    m = engine.report(*engine.predict(model, prepared.test), prepared)
    print("test", json.dumps({k: round(v, 4) for k, v in m.items()}))


if __name__ == "__main__":
    main(*sys.argv[1:2])
