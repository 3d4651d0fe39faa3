import torch

from config import TrainConfig
from model import TicketClassifier
from tickets import build_datasets
from trainer import Trainer


def main():
    cfg = TrainConfig()
    print(cfg.describe())
    torch.manual_seed(cfg.seed)
    train_set, val_set, vocab, labels = build_datasets(cfg)
    print(f"{len(train_set)} train / {len(val_set)} val tickets, {len(vocab)} words, {len(labels)} queues")
    model = TicketClassifier(len(vocab), len(labels), cfg.emb_dim, cfg.hidden)
    Trainer(model, cfg, train_set, val_set).fit()


if __name__ == "__main__":
    main()
