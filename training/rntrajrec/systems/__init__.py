"""The systems that the paper compares, trained and measured side by side: docs/results.md.

Each system has a file: linear, dhtr, t2vec, transformer, mtrajrec, t3s, gts, neutraj and
rntrajrec (city form and universal form). All but the first two share the paper's decoder
(decoder.py) and what is known of a sample (rows.py). city.py is the part of a city that
has tables, trips.py the trips as tensors, train.py and run.py the harness, page.py the page;
graphs.py and export.py bring three systems into the application, and agreement.py compares
what both recover.
"""
