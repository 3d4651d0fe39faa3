"""Teach a small attention seq2seq to sort digit strings."""
import json
from pathlib import Path

import torch
import torch.nn.functional as F

from seq2seq import Seq2Seq
from vocab import EOS, PAD, make_pairs

CFG = json.loads(Path(__file__).with_name("config.json").read_text())


@torch.no_grad()
def exact_match(model, src, tgt):
    model.eval()
    gold = tgt[:, 1:]
    pred = model.greedy(src, gold.shape[1])
    # tokens after the gold EOS do not count
    ok = ((pred == gold) | (gold == PAD)).all(1)
    model.train()
    return ok.float().mean().item()


def run():
    torch.manual_seed(CFG["seed"])
    src, tgt = make_pairs(CFG["n_train"], seed=1)
    vs, vt = make_pairs(500, seed=2)
    model = Seq2Seq(CFG["dim"], CFG["hidden"], CFG["keep_prob"])
    opt = torch.optim.Adam(model.parameters(), lr=CFG["lr"])
    for epoch in range(CFG["epochs"]):
        total, n = 0.0, 0
        for idx in torch.randperm(len(src)).split(CFG["batch_size"]):
            logits = model(src[idx], tgt[idx, :-1])
            loss = F.cross_entropy(logits.flatten(0, 1), tgt[idx, 1:].flatten(), ignore_index=PAD)
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            opt.step()
            total, n = total + loss.item(), n + 1
        print(f"epoch {epoch + 1}/{CFG['epochs']}  loss {total / n:.3f}  exact match {exact_match(model, vs, vt):.3f}")


if __name__ == "__main__":
    run()
