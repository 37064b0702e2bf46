"""Pig without Driftlog, to compare with the ruleset: `driftlog check-rules pig --against "python oracle.py"`."""

import json
import sys

FACES = range(1, 7)


class Oracle:
    def open(self, seats, options, **_):
        self.goal, self.scores = options.get("goal", 100), [0] * seats
        self.player = self.points = 0
        return {}

    def legal_actions(self):
        is_over = max(self.scores) >= self.goal
        kinds = [] if is_over else ["roll", "hold"] if self.points else ["roll"]
        return {"actions": [{"type": kind, "actor": f"p{self.player + 1}", "params": {}} for kind in kinds]}

    def results(self, action, outcomes):
        is_rolled = action["type"] == "roll" and not outcomes
        return {"results": [{"value": face, "p": "1/6"} for face in FACES] if is_rolled else []}

    def apply(self, action, outcomes):
        if action["type"] == "hold":
            self.scores[self.player] += self.points
            if self.scores[self.player] >= self.goal:
                return {"outcome": {"result": "won", "winners": [action["actor"]]}}
        if action["type"] == "roll" and outcomes[0] > 1:
            self.points += outcomes[0]
        elif action["type"] != "set_up":
            self.player, self.points = (self.player + 1) % len(self.scores), 0
        return {"outcome": None}


oracle = Oracle()
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(getattr(oracle, request.pop("do"))(**request)), flush=True)
