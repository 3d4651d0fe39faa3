"""Visit intent from the sequence of pages in a shop session."""
import random
from pathlib import Path

import pandas as pd
import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import nn
from transformers import BertConfig, BertModel, set_seed

HERE = Path(__file__).resolve().parent
INTENTS = ["aftercare", "compare", "purchase"]
EPOCHS = 9
BATCH = 32
SEED = 5


class IntentModel(nn.Module):
    def __init__(self, config, n_classes):
        super().__init__()
        self.config = config
        self.bert = BertModel(config, add_pooling_layer=False)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(config.hidden_size, n_classes)

    def forward(self, ids):
        mask = ids.ne(self.config.pad_token_id)
        hidden = self.bert(input_ids=ids, attention_mask=mask.long()).last_hidden_state
        weight = mask.unsqueeze(-1).float()
        pooled = (hidden * weight).sum(1) / weight.sum(1)
        return self.out(self.drop(pooled))


def encode(tokenizer, texts):
    return torch.tensor([e.ids for e in tokenizer.encode_batch(list(texts))])


def length_buckets(lengths, batch_size, rng):
    """Batches of sessions of similar length, so short ones do not wait for long ones."""
    order = sorted(range(len(lengths)), key=lambda i: (lengths[i], rng.random()))
    batches = [order[i:i + batch_size] for i in range(0, len(order), batch_size)]
    rng.shuffle(batches)
    return batches


@torch.no_grad()
def evaluate(model, tokenizer, texts, labels):
    model.eval()
    logits = model(encode(tokenizer, texts))
    loss = F.cross_entropy(logits, labels).item()
    return loss, (logits.argmax(-1) == labels).float().mean().item()


def main():
    set_seed(SEED)
    rng = random.Random(SEED)
    table = pd.read_csv(HERE / "sessions.csv")
    texts = table["pages"].tolist()
    labels = torch.tensor([INTENTS.index(v) for v in table["intent"]])
    n_train = 680
    val_texts, val_labels = texts[n_train:], labels[n_train:]

    tokenizer = Tokenizer.from_file(str(HERE / "tokenizer.json"))
    config = BertConfig.from_json_file(str(HERE / "config.json"))
    model = IntentModel(config, len(INTENTS))
    lengths = [len(t.split()) for t in texts[:n_train]]

    steps = EPOCHS * ((n_train + BATCH - 1) // BATCH)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.02)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=1e-3, total_steps=steps, pct_start=0.15)

    for epoch in range(1, EPOCHS + 1):
        model.train()
        total = 0.0
        for batch in length_buckets(lengths, BATCH, rng):
            ids = encode(tokenizer, [texts[i] for i in batch])
            loss = F.cross_entropy(model(ids), labels[batch])
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            sched.step()
            total += loss.item() * len(batch)
        val_loss, val_acc = evaluate(model, tokenizer, val_texts, val_labels)
        print(f"epoch {epoch:2d}  train {total / n_train:.4f}  val {val_loss:.4f}  acc {val_acc:.3f}")


if __name__ == "__main__":
    main()
