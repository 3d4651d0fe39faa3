import logging

import torch
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score
from torch.utils.data import DataLoader

from ctr.config import Config
from ctr.data import make_datasets
from ctr.model import ClickModel
from ctr.optim import build_optimizer
from ctr.report import log_report

logging.basicConfig(level=logging.INFO, format="%(message)s")
log = logging.getLogger("ctr")


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    logits, labels = [], []
    for ids, dense, y in loader:
        logits.append(model(ids, dense))
        labels.append(y)
    model.train()
    logits, labels = torch.cat(logits), torch.cat(labels)
    return (F.binary_cross_entropy_with_logits(logits, labels).item(),
            roc_auc_score(labels.numpy(), logits.numpy()), logits.sigmoid(), labels)


def main():
    cfg = Config()
    torch.manual_seed(cfg.seed)
    train_set, test_set = make_datasets(cfg)
    train_loader = DataLoader(train_set, batch_size=cfg.batch_size, shuffle=True, drop_last=True)
    test_loader = DataLoader(test_set, batch_size=2048)
    model = ClickModel(cfg)
    optimizer = build_optimizer(model, cfg)
    step = 0
    for epoch in range(cfg.epochs):
        for ids, dense, y in train_loader:
            loss = F.binary_cross_entropy_with_logits(model(ids, dense), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if step % cfg.log_every == 0:
                log.info("step %5d  logloss %.4f", step, loss.item())
            step += 1
        ll, auc, prob, label = evaluate(model, test_loader)
        log.info("epoch %d  test logloss %.4f  auc %.4f", epoch, ll, auc)
    log_report(log, prob, label, test_set.tensors[0])


if __name__ == "__main__":
    main()
