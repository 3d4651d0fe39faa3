"""Tagging support tickets with DistilBERT (from scratch) and accelerate."""
import torch
import torch.nn.functional as F
from accelerate import Accelerator
from accelerate.utils import set_seed
from sklearn.metrics import f1_score
from torch.utils.data import DataLoader
from transformers import DistilBertConfig, DistilBertModel, get_linear_schedule_with_warmup

from ticketdata import PAD, TAGS, Tickets, collate, make_vocab, read_tickets

SEED = 8
EPOCHS = 12
THRESHOLD = 0.5


class Tagger(torch.nn.Module):
    def __init__(self, vocab_size, n_tags):
        super().__init__()
        config = DistilBertConfig(vocab_size=vocab_size, dim=64, hidden_dim=128, n_layers=2, n_heads=4,
                                  max_position_embeddings=48, pad_token_id=PAD, initializer_range=0.05)
        self.encoder = DistilBertModel(config)
        self.drop = torch.nn.Dropout(0.2)
        self.score = torch.nn.Linear(config.dim, n_tags)

    def forward(self, input_ids, attention_mask):
        hidden = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        hidden = hidden.masked_fill(~attention_mask.bool().unsqueeze(-1), float("-inf"))
        return self.score(self.drop(hidden.amax(dim=1)))


def evaluate(accelerator, model, loader):
    model.eval()
    probs, truth = [], []
    with torch.no_grad():
        for batch in loader:
            logits = model(batch["input_ids"], batch["attention_mask"])
            p, t = accelerator.gather_for_metrics((logits.sigmoid(), batch["tags"]))
            probs.append(p)
            truth.append(t)
    pred = (torch.cat(probs) > THRESHOLD).int().numpy()
    truth = torch.cat(truth).int().numpy()
    return (f1_score(truth, pred, average="micro", zero_division=0),
            f1_score(truth, pred, average="macro", zero_division=0),
            float((pred == truth).all(axis=1).mean()))


def main():
    set_seed(SEED)
    accelerator = Accelerator(cpu=True)
    texts, tags = read_tickets()
    n_train = 850
    vocab = make_vocab(texts[:n_train])
    train = Tickets(texts[:n_train], tags[:n_train], vocab)
    val = Tickets(texts[n_train:], tags[n_train:], vocab)
    train_dl = DataLoader(train, batch_size=32, shuffle=True, collate_fn=collate)
    val_dl = DataLoader(val, batch_size=125, collate_fn=collate)

    model = Tagger(len(vocab), len(TAGS))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    steps = EPOCHS * len(train_dl)
    scheduler = get_linear_schedule_with_warmup(optimizer, steps // 10, steps)
    model, optimizer, train_dl, val_dl, scheduler = accelerator.prepare(model, optimizer, train_dl, val_dl, scheduler)

    for epoch in range(1, EPOCHS + 1):
        model.train()
        total = seen = 0
        for batch in train_dl:
            logits = model(batch["input_ids"], batch["attention_mask"])
            loss = F.cross_entropy(logits, batch["tags"])
            accelerator.backward(loss)
            accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
            total += loss.item() * len(logits)
            seen += len(logits)
        micro, macro, exact = evaluate(accelerator, model, val_dl)
        accelerator.print(f"epoch {epoch:2d}  loss {total / seen:.4f}  val micro-F1 {micro:.3f}  "
                          f"macro-F1 {macro:.3f}  exact {exact:.3f}")


if __name__ == "__main__":
    main()
