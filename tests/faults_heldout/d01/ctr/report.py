import torch


def calibration(prob, label, n_bins=10):
    """Mean prediction and click rate in equally filled bins of the prediction."""
    order = prob.argsort()
    rows = []
    for part in order.chunk(n_bins):
        rows.append((prob[part].mean().item(), label[part].mean().item(), len(part)))
    return rows


def expected_calibration_error(rows):
    total = sum(n for *_, n in rows)
    return sum(abs(p - r) * n for p, r, n in rows) / total


def segment_lift(prob, label, ids, top=3):
    """Click rate against prediction for the most frequent ids of one categorical column."""
    values, counts = torch.unique(ids, return_counts=True)
    out = []
    for v in values[counts.argsort(descending=True)[:top]]:
        m = ids == v
        out.append((int(v), int(m.sum()), prob[m].mean().item(), label[m].mean().item()))
    return out


def log_report(log, prob, label, ids):
    rows = calibration(prob, label)
    log.info("calibration error %.4f", expected_calibration_error(rows))
    for p, r, n in rows:
        log.info("  predicted %.3f  observed %.3f  (%d)", p, r, n)
    for v, n, p, r in segment_lift(prob, label, ids[:, 0]):
        log.info("publisher %4d: %4d impressions, predicted %.3f, observed %.3f", v, n, p, r)
