import configparser
from pathlib import Path

import torch
import torch.nn.functional as F

from voices.embedder import Embedder
from voices.features import Utterances
from voices.verify import equal_error_rate, identification

HERE = Path(__file__).resolve().parent


def run(conf):
    torch.manual_seed(conf.getint("run", "seed"))
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(conf.getint("run", "seed"))

    data = Utterances(HERE / conf.get("data", "file"))
    model = Embedder(data.n_features, data.n_speakers, conf.getint("model", "hidden"), conf.getint("model", "dim"))
    optimizer = torch.optim.AdamW(model.parameters(), lr=conf.getfloat("train", "lr"), weight_decay=1e-3)

    epochs = conf.getint("train", "epochs")
    micro = conf.getint("train", "micro_batch")
    accumulate = conf.getint("train", "accumulate")
    steps = epochs * (len(data.train[1]) // (micro * accumulate))
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, conf.getfloat("train", "lr"), total_steps=steps + 1)

    print(f"{data.n_speakers} speakers, {len(data.train[1])} utterances, "
          f"{steps} updates of {micro} x {accumulate}")
    for epoch in range(1, epochs + 1):
        model.train()
        loss_sum, right, seen = 0.0, 0, 0
        optimizer.zero_grad()
        for i, (x, y) in enumerate(data.micro_batches(micro, generator), start=1):
            logits = model(x)
            loss = F.cross_entropy(logits, y)
            (loss / accumulate).backward()
            if i % accumulate == 0:
                optimizer.step()
                scheduler.step()
                optimizer.zero_grad()
            loss_sum += loss.item() * len(y)
            right += (logits.argmax(1) == y).sum().item()
            seen += len(y)

        model.eval()
        print(f"epoch {epoch:2d} | train loss {loss_sum / seen:.3f} acc {right / seen:.3f} "
              f"| test acc {identification(model, data):.3f} EER {100 * equal_error_rate(model, data):.2f} %")


if __name__ == "__main__":
    parser = configparser.ConfigParser()
    parser.read(HERE / "voices.ini")
    run(parser)
