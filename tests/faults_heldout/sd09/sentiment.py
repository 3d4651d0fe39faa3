"""Sentiment of short product reviews with a bag-of-embeddings classifier."""
import random

import torch
from torch import nn

torch.manual_seed(0)
random.seed(0)

DEVICE = "cpu"
HALF = True
EPOCHS, BATCH, LR = 8, 64, 2e-3

GOOD = "great lovely sturdy quick perfect happy comfortable reliable bright quiet smooth recommend excellent".split()
BAD = "broken slow noisy cheap refund useless disappointed scratched wobbly late leaking awful returned".split()
NOUNS = "chair lamp kettle phone blender desk headset router mixer pillow drill toaster camera charger".split()
FILL = ("the a this it is was and but with for my after week days box arrived i we use bought second very quite "
        "really color size price delivery kitchen office gift battery manual screws").split()
RARE = [f"{a}{b}" for a in ("nova", "zen", "aero", "pix", "lumo", "krona", "viro") for b in ("x", "mini", "pro", "200", "max")]


def write_review():
    label = random.random() < 0.5
    words = [random.choice(FILL) for _ in range(random.randint(5, 14))]
    words += random.choices(NOUNS, k=random.randint(1, 2))
    words += random.choices(GOOD if label else BAD, k=random.randint(1, 3))
    if random.random() < 0.25:
        words.append(random.choice(BAD if label else GOOD))
    if random.random() < 0.15:
        words.append(random.choice(RARE))
    random.shuffle(words)
    return words, int(label)


reviews = [write_review() for _ in range(4000)]
train, test = reviews[:3200], reviews[3200:]
vocab = {w: i for i, w in enumerate(sorted({w for words, _ in train for w in words}))}
print(f"{len(train)} reviews, vocabulary of {len(vocab)} words")


def collate(batch):
    ids, offsets, labels = [], [], []
    for words, label in batch:
        offsets.append(len(ids))
        ids += [vocab[w] for w in words if w in vocab]
        labels.append(label)
    return torch.tensor(ids), torch.tensor(offsets), torch.tensor(labels)


class ReviewClassifier(nn.Module):
    def __init__(self, vocab_size, dim=32, hidden=32):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab_size, dim, mode="mean")
        self.hidden = nn.Linear(dim, hidden)
        self.out = nn.Linear(hidden, 2)

    def forward(self, ids, offsets):
        return self.out(torch.relu(self.hidden(self.bag(ids, offsets))))


model = ReviewClassifier(len(vocab)).to(DEVICE)
if HALF:
    model = model.half()
optimizer = torch.optim.Adam(model.parameters(), lr=LR)
criterion = nn.CrossEntropyLoss()


def accuracy(data):
    model.eval()
    ids, offsets, labels = collate(data)
    with torch.no_grad():
        return (model(ids, offsets).argmax(1) == labels).float().mean().item()


for epoch in range(1, EPOCHS + 1):
    model.train()
    random.shuffle(train)
    losses = []
    for k in range(0, len(train), BATCH):
        ids, offsets, labels = collate(train[k:k + BATCH])
        loss = criterion(model(ids, offsets).float(), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    print(f"epoch {epoch}: loss {sum(losses) / len(losses):.4f}, test accuracy {accuracy(test):.3f}")
