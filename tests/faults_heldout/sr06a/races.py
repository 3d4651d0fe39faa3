import dataclasses
import numpy as np
import torch


@dataclasses.dataclass
class Race:
    team: torch.Tensor      # (k,) team numbers, winner first
    start: torch.Tensor     # (k, f) what was known at the start line


FIELDS = ("temp_c", "trail_km", "climb_m", "dogs", "dog_age", "load_kg", "rest_days")


def read_races(path, centre, scale):
    """finish.txt: 'race' lines with trail data, one line per team in order of arrival"""
    races, rows, trail = [], [], None

    def close():
        if rows:
            team = torch.tensor([r[0] for r in rows])
            raw = np.array([list(trail) + r[1:] for r in rows], dtype=np.float32)
            races.append(Race(team, torch.from_numpy((raw - centre) / scale)))

    for line in open(path):
        part = line.split()
        if not part:
            continue
        if part[0] == "race":
            close()
            rows, trail = [], [float(v) for v in part[2:]]
        else:
            rows.append([int(part[0])] + [float(v) for v in part[1:]])
    close()
    return races


def pad(races):
    k = max(len(r.team) for r in races)
    n, f = len(races), races[0].start.shape[1]
    team = torch.zeros(n, k, dtype=torch.long)
    start = torch.zeros(n, k, f)
    live = torch.zeros(n, k, dtype=torch.bool)
    for i, r in enumerate(races):
        m = len(r.team)
        team[i, :m], start[i, :m], live[i, :m] = r.team, r.start, True
    return team, start, live
