import torch
import torch.nn.functional as F


def make_optim(model, cfg):
    o, s = cfg["optim"], cfg["schedule"]
    opt = torch.optim.AdamW(
        model.parameters(), lr=o["lr"], betas=tuple(o["betas"]), weight_decay=o["weight_decay"]
    )
    sched = torch.optim.lr_scheduler.StepLR(opt, s["step_size"], s["gamma"])
    return opt, sched


def train_epoch(model, batches, opt, sched):
    model.train()
    losses = []
    for ids, y in batches:
        loss = F.cross_entropy(model(ids), y)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        sched.step()
        losses.append(loss.item())
    return sum(losses) / len(losses)


@torch.no_grad()
def evaluate(model, ids, y):
    model.eval()
    logits = model(ids)
    return F.cross_entropy(logits, y).item(), (logits.argmax(1) == y).float().mean().item()
