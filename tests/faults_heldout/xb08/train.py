import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from ae.nets import Decoder, Encoder
from ae.phases import finetune, pretrain, probe

SEED = 40
LABELLED = 400


def accuracy(encoder, head, x, y):
    encoder.eval(), head.eval()
    with torch.no_grad():
        acc = (head(encoder(x)).argmax(1) == y).float().mean().item()
    encoder.train(), head.train()
    return acc


def main():
    torch.manual_seed(SEED)
    gen = torch.Generator().manual_seed(SEED)
    x, y = load_digits(return_X_y=True)
    x = torch.from_numpy((x / 16.0).astype(np.float32))
    y = torch.from_numpy(y)
    pool, val = train_test_split(np.arange(len(y)), test_size=0.2, stratify=y, random_state=SEED)
    labelled, _ = train_test_split(pool, train_size=LABELLED, stratify=y[pool], random_state=SEED)
    center = x[pool].mean(0)
    x = x - center

    encoder, decoder, head = Encoder(), Decoder(), torch.nn.Linear(24, 10)
    print("phase 1: representation")
    pretrain(encoder, decoder, x[pool], 15, gen)
    print("phase 2: probe")
    probe(encoder, head, x[labelled], y[labelled], 20, gen)
    print(f"  val acc {accuracy(encoder, head, x[val], y[val]):.3f}")
    print("phase 3: fine-tuning")
    finetune(encoder, head, x[labelled], y[labelled], 30, gen)
    print(f"  val acc {accuracy(encoder, head, x[val], y[val]):.3f}")


if __name__ == "__main__":
    main()
