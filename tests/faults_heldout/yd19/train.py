import tomllib
from pathlib import Path

import torch
import torch.nn.functional as F

from logbert.model import LogBert
from logbert.vocab import Vocab, corrupt

HERE = Path(__file__).resolve().parent
CFG = tomllib.loads((HERE / "train.toml").read_text())


def masked_loss(logits, labels, reduction):
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), ignore_index=-100, reduction=reduction)


@torch.no_grad()
def evaluate(model, tokens, vocab):
    """Mask every position in turn."""
    model.eval()
    hits = nll = 0.0
    for j in range(1, tokens.shape[1]):
        x = tokens.clone()
        x[:, j] = vocab.mask
        logits = model(x)[:, j]
        nll += F.cross_entropy(logits, tokens[:, j]).item()
        hits += (logits.argmax(1) == tokens[:, j]).float().mean().item()
    n = tokens.shape[1] - 1
    return nll / n, hits / n


def main():
    torch.manual_seed(CFG["seed"])
    lines = (HERE / "events.txt").read_text().splitlines()
    vocab = Vocab(lines)
    tokens = vocab.encode(lines)
    train, test = tokens[:2300], tokens[2300:]
    model = LogBert(len(vocab), tokens.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=CFG["lr"], betas=(0.9, 0.98), weight_decay=0.01)
    per_epoch = len(train) // (CFG["micro_batch"] * CFG["accumulate"])
    total = per_epoch * CFG["epochs"]
    sched = torch.optim.lr_scheduler.LambdaLR(
        opt, lambda s: min((s + 1) / CFG["warmup"], max(0.02, (total - s) / (total - CFG["warmup"]))))

    for epoch in range(1, CFG["epochs"] + 1):
        model.train()
        micro = list(torch.randperm(len(train)).split(CFG["micro_batch"]))
        nll_sum, count = 0.0, 0
        for step in range(per_epoch):
            group = [corrupt(train[i], vocab, CFG["mask_rate"])
                     for i in micro[step * CFG["accumulate"]:(step + 1) * CFG["accumulate"]]]
            n_targets = sum((lab != -100).sum().item() for _, lab in group)
            opt.zero_grad()
            for x, lab in group:
                loss = masked_loss(model(x), lab, "sum") / n_targets
                loss.backward()
                nll_sum += loss.item() * n_targets
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            count += n_targets
        if epoch % 3 == 0 or epoch == 1:
            test_nll, acc = evaluate(model, test, vocab)
            print(f"epoch {epoch:2d}  masked nll {nll_sum / count:.3f}  cloze nll {test_nll:.3f}  cloze accuracy {acc:.3f}")
    freq = torch.bincount(train[:, 1:].flatten()).argmax()
    print(f"most frequent word everywhere: accuracy {(test[:, 1:] == freq).float().mean().item():.3f}")


if __name__ == "__main__":
    main()
