import argparse
from pathlib import Path

import torch
from torch.utils.data import DataLoader
from transformers import GPT2Config, GPT2LMHeadModel, get_linear_schedule_with_warmup

from loglm.data import BOS, EOS, PAD, CharTable, LogLines, collate
from loglm.report import complete, next_char_accuracy

p = argparse.ArgumentParser(description="character model of service logs, for autocomplete in the console")
p.add_argument("--epochs", type=int, default=8)
p.add_argument("--batch", type=int, default=20)
p.add_argument("--lr", type=float, default=3e-3)
p.add_argument("--width", type=int, default=64)
p.add_argument("--layers", type=int, default=2)
p.add_argument("--seed", type=int, default=6)
a = p.parse_args()

torch.manual_seed(a.seed)
torch.set_num_threads(1)
table = CharTable(Path("log_train.txt").read_text())
train = DataLoader(LogLines("log_train.txt", table, 48), batch_size=a.batch, shuffle=True, collate_fn=collate)
test = DataLoader(LogLines("log_test.txt", table, 48), batch_size=50, collate_fn=collate)

model = GPT2LMHeadModel(GPT2Config(
    vocab_size=len(table), n_positions=48, n_embd=a.width, n_layer=a.layers, n_head=4, resid_pdrop=0.0,
    embd_pdrop=0.0, attn_pdrop=0.0, bos_token_id=BOS, eos_token_id=EOS, pad_token_id=PAD))
opt = torch.optim.AdamW(model.parameters(), lr=a.lr, weight_decay=0.01)
sched = get_linear_schedule_with_warmup(opt, 30, a.epochs * len(train))

for epoch in range(1, a.epochs + 1):
    model.train()
    tot = 0.0
    for batch in train:
        loss = model(**batch).loss
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        tot += loss.item()
    model.eval()
    with torch.no_grad():
        val = sum(model(**b).loss.item() for b in test) / len(test)
    print(f"epoch {epoch}  train {tot / len(train):.3f}  test {val:.3f}  "
          f"next-char accuracy {next_char_accuracy(model, test):.3f}")

for prefix in ("10:20:30 auth conn", "07:01:59 orders ht", "22:45:00 mailer st"):
    print(repr(complete(model, table, prefix)))
