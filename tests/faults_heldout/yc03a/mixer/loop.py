import logging

import torch
import torch.nn.functional as F

log = logging.getLogger("loop")


def make_optimizer(model, st):
    if st.optimizer == "adamw":
        return torch.optim.AdamW(model.parameters(), lr=st.lr, weight_decay=st.weight_decay)
    if st.optimizer == "sgd":
        return torch.optim.SGD(model.parameters(), lr=st.lr, momentum=0.9, weight_decay=st.weight_decay)
    raise ValueError(st.optimizer)


@torch.no_grad()
def score(model, loader, precision):
    model.eval()
    loss = hit = n = 0
    for x, y in loader:
        with precision.forward():
            out = model(precision.inputs(x))
        out = out.float()
        loss += F.cross_entropy(out, y, reduction="sum").item()
        hit += (out.argmax(-1) == y).sum().item()
        n += len(y)
    return loss / n, hit / n


def fit(model, train, val, st, precision):
    opt = make_optimizer(model, st)
    total = st.epochs * len(train)

    def factor(step):
        if step < st.warmup_steps:
            return (step + 1) / st.warmup_steps
        return max(0.1, 1 - (step - st.warmup_steps) / (total - st.warmup_steps))

    sched = torch.optim.lr_scheduler.LambdaLR(opt, factor)
    for epoch in range(st.epochs):
        model.train()
        run = 0.0
        for x, y in train:
            with precision.forward():
                out = model(precision.inputs(x))
            loss = F.cross_entropy(out.float(), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            sched.step()
            run += loss.item()
        vl, va = score(model, val, precision)
        log.info("epoch %d  loss %.4f  val_loss %.4f  val_acc %.4f", epoch + 1, run / len(train), vl, va)
