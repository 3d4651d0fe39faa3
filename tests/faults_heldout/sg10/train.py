import torch

from survival.data import batches, read_cohort, split_and_scale
from survival.likelihood import concordance, weibull_nll
from survival.model import WeibullNet

EPOCHS = 40
BATCH = 32


def report(epoch, loss, model, test):
    model.eval()
    with torch.no_grad():
        log_scale, log_shape = model(test.x)
        nll = weibull_nll(log_scale, log_shape, test.months, test.event).item()
        c = concordance(-log_scale, test.months, test.event)
    print(f"epoch {epoch:3d} | train nll {loss:.4f} | test nll {nll:.4f} | c-index {c:.3f} | shape {log_shape.exp():.2f}")


def main():
    torch.manual_seed(77)
    gen = torch.Generator().manual_seed(77)
    train, test = split_and_scale(read_cohort("cohort.csv"), 0.25, gen)
    print(f"{train.size} patients, {int(train.event.sum())} deaths, median follow-up {train.months.median():.1f} months")

    model = WeibullNet(train.x.shape[1])
    opt = torch.optim.AdamW(model.parameters(), lr=1.5e-3, weight_decay=1e-2)
    for epoch in range(1, EPOCHS + 1):
        model.train()
        total = 0.0
        for part in batches(train, BATCH, gen):
            log_scale, log_shape = model(part.x)
            loss = weibull_nll(log_scale, log_shape, part.months, part.event)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item() * part.size
        if epoch == 1 or epoch % 8 == 0:
            report(epoch, total / train.size, model, test)


if __name__ == "__main__":
    main()
