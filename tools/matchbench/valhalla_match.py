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

broken = sum(
    any(p.get("begin_route_discontinuity") or p.get("end_route_discontinuity") for p in json.loads(a)["matched_points"])
    for a in answers
    if a is not None
)
print(json.dumps(spent | {"Failed": answers.count(None), "Broken": broken}))
