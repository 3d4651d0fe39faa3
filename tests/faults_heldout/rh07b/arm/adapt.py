import torch


def huber(pred, target):
    return torch.nn.functional.smooth_l1_loss(pred.float(), target, beta=0.5)


def evaluate(net, data):
    dtype = next(net.parameters()).dtype
    net.eval()
    with torch.inference_mode():
        value = huber(net(data[0].to(dtype)), data[1]).item()
    net.train()
    return value


def adapt(net, logs, cfg):
    dtype = next(net.parameters()).dtype
    gen = torch.Generator().manual_seed(cfg["seed"])
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=0.0)
    print(f"before: valid {evaluate(net, logs.valid):.5f}")
    for epoch in range(1, cfg["epochs"] + 1):
        total = count = 0
        for x, y in logs.shuffled(cfg["batch"], gen):
            loss = huber(net(x.to(dtype)), y)
            loss.backward()
            opt.step()
            opt.zero_grad()
            total += loss.item() * len(x)
            count += len(x)
        if epoch % cfg["report"] == 0:
            print(f"epoch {epoch}: train {total / count:.5f} valid {evaluate(net, logs.valid):.5f}")
