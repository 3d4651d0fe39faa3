import copy
import logging
from pathlib import Path

import torch
import yaml
from sklearn.metrics import average_precision_score, roc_auc_score
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from churn.network import ChurnNet
from churn.table import Table

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("churn")
HERE = Path(__file__).resolve().parent


@torch.no_grad()
def evaluate(model, split):
    model.eval()
    num, cat, y = split
    score = torch.sigmoid(model(num, cat)).numpy()
    return roc_auc_score(y.numpy(), score), average_precision_score(y.numpy(), score)


def main():
    cfg = yaml.safe_load((HERE / "config.yaml").read_text())
    torch.manual_seed(cfg["seed"])
    d, m, o = cfg["data"], cfg["model"], cfg["optim"]
    table = Table(HERE / d["path"], d["target"], d["categorical"])
    train, val, test = table.split(d["val_share"], d["test_share"], cfg["seed"])
    positives = train[2].mean().item()
    log.info("train %d  val %d  test %d  churn rate %.3f", len(train[2]), len(val[2]), len(test[2]), positives)

    model = ChurnNet(train[0].shape[1], [len(v) for v in table.levels], m["hidden"], m["embed_dim"], m["dropout"])
    criterion = nn.BCEWithLogitsLoss(pos_weight=torch.tensor((1 - positives) / positives))
    optimizer = torch.optim.AdamW(model.parameters(), lr=o["lr"], weight_decay=o["weight_decay"])
    loader = DataLoader(TensorDataset(*train), batch_size=o["batch_size"], shuffle=True)

    best_auc, best_state, stale = 0.0, None, 0
    for epoch in range(1, o["max_epochs"] + 1):
        model.train()
        total = 0.0
        for num, cat, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(num, cat), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(y)
        auc, ap = evaluate(model, val)
        log.info("epoch %d loss %.4f val auc %.4f ap %.4f", epoch, total / len(train[2]), auc, ap)
        if auc > best_auc:
            best_auc, best_state, stale = auc, copy.deepcopy(model.state_dict()), 0
        else:
            stale += 1
            if stale >= o["patience"]:
                log.info("no improvement for %d epochs, stopping", stale)
                break
    model.load_state_dict(best_state)
    auc, ap = evaluate(model, test)
    log.info("test auc %.4f  average precision %.4f", auc, ap)


if __name__ == "__main__":
    main()
