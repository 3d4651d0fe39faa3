import copy
import logging

import torch
import torch.nn.functional as F

from .scores import multilabel_scores

log = logging.getLogger(__name__)


def predict(model, loader):
    model.eval()
    logits, targets = [], []
    with torch.no_grad():
        for atoms, src, dst, owner, t in loader:
            logits.append(model(atoms, src, dst, owner, len(t)))
            targets.append(t)
    return torch.cat(logits), torch.cat(targets)


def fit(model, loaders, epochs, lr, patience, ckpt_path):
    opt = torch.optim.AdamW(model.parameters(), lr=lr, weight_decay=1e-2)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, epochs)
    best_loss, best_state, stale = float("inf"), None, 0
    for epoch in range(epochs):
        model.train()
        total = n = 0
        for atoms, src, dst, owner, t in loaders["train"]:
            loss = F.binary_cross_entropy_with_logits(model(atoms, src, dst, owner, len(t)), t)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            total += loss.item() * len(t)
            n += len(t)
        sched.step()
        logits, targets = predict(model, loaders["val"])
        val_loss = F.binary_cross_entropy_with_logits(logits, targets).item()
        auc, f1 = multilabel_scores(logits, targets)
        log.info("ep %d train %.4f val %.4f auc %.3f f1 %.3f", epoch, total / n, val_loss, auc, f1)
        if val_loss < best_loss:
            best_loss, stale = val_loss, 0
            best_state = copy.deepcopy(model.state_dict())
            torch.save(best_state, ckpt_path)
        else:
            stale += 1
            if stale >= patience:
                log.info("early stop after epoch %d", epoch)
                break
    model.load_state_dict(best_state)
    return best_loss
