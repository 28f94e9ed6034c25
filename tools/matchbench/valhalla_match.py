"""Matches trips by Valhalla: two passes, of which the second is measured.

usage: valhalla_match.py CONFIG TRIPS
"""

import json
import sys
import time

import valhalla

actor = valhalla.Actor(sys.argv[1])
requests = []
with open(sys.argv[2]) as lines:
    for line in lines:
        shape = [{"lon": lon, "lat": lat, "time": at} for lon, lat, at in json.loads(line)]
        requests.append(json.dumps({"shape": shape, "costing": "auto", "shape_match": "map_snap", "use_timestamps": False}))

for _ in range(2):
    answers = []
    wall, processor = time.perf_counter(), time.process_time()
    for request in requests:
        try:
            answers.append(actor.trace_attributes(request))
        except RuntimeError:  # it has no answer
            answers.append(None)
    spent = {"Processor": time.process_time() - processor, "Wall": time.perf_counter() - wall}



def broken(answer):
    """Whether the path is interrupted, or leaves out the first or the last sample. Valhalla flags few of these as
    discontinuities: edges that do not join tell."""
    edges, points = answer["edges"], answer["matched_points"]
    return (
        any(a["end_shape_index"] != b["begin_shape_index"] for a, b in zip(edges, edges[1:]))
        or any(p.get("begin_route_discontinuity") or p.get("end_route_discontinuity") for p in points)
        or "unmatched" in (points[0]["type"], points[-1]["type"])
    )


pieces = sum(broken(json.loads(a)) for a in answers if a is not None)
print(json.dumps(spent | {"Failed": answers.count(None), "Broken": pieces}))
