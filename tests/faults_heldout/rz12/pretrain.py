import torch
from torch.nn import functional as F

from net import CharLM


def read_config(path):
    cfg = {}
    for line in open(path):
        if ":" in line:
            key, value = line.split(":")
            cfg[key.strip()] = float(value) if "." in value else int(value)
    return cfg


def text_ids(path):
    text = open(path).read()
    chars = sorted(set(text))
    table = {c: i for i, c in enumerate(chars)}
    return torch.tensor([table[c] for c in text]), chars


def sample(ids, size, context):
    start = torch.randint(len(ids) - context, (size,))
    rows = start[:, None] + torch.arange(context + 1)
    chunk = ids[rows]
    return chunk[:, :-1], chunk[:, 1:]


@torch.no_grad()
def held_out(model, ids, context):
    model.eval()
    n = (len(ids) - 1) // context
    x = ids[: n * context].view(n, context)
    y = ids[1 : n * context + 1].view(n, context)
    z = model(x)
    model.train()
    return F.cross_entropy(z.flatten(0, 1), y.flatten()).item()


def main():
    cfg = read_config("lm.yaml")
    torch.manual_seed(cfg["seed"])
    ids, chars = text_ids("steps.txt")
    cut = int(0.9 * len(ids))
    train, test = ids[:cut], ids[cut:]

    model = CharLM(len(chars), cfg["context"], cfg["dim"], cfg["heads"], cfg["layers"], cfg["dropout"])
    opt = torch.optim.AdamW(model.parameters(), lr=cfg["peak_lr"], betas=(0.9, 0.98), weight_decay=0.05)
    sched = torch.optim.lr_scheduler.OneCycleLR(
        opt, cfg["peak_lr"], total_steps=cfg["updates"], pct_start=0.15, cycle_momentum=False)

    for update in range(1, cfg["updates"] + 1):
        shown = 0.0
        for _ in range(cfg["accumulate"]):
            x, y = sample(train, cfg["micro_batch"], cfg["context"])
            z = model(x)
            loss = F.cross_entropy(z.flatten(0, 1), y.flatten(), label_smoothing=cfg["label_smoothing"])
            (loss / cfg["accumulate"]).backward()
            shown += loss.item() / cfg["accumulate"]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        opt.zero_grad(set_to_none=True)
        sched.step()
        if update % 50 == 0:
            print(f"update {update:4d}  train (smoothed) {shown:.4f}  held-out {held_out(model, test, cfg['context']):.4f}")


if __name__ == "__main__":
    main()
