"""docs/spark.md, of what was measured."""

import re

PRICE = 0.05  # dollars a core and hour, an assumption that the page names
FLEET = 100_000_000


def mib(n: float) -> str:
    return f"{n / 2**20:,.0f} MiB"


def bare(said: str) -> str:
    """A message without the folders of the computer that it was made on."""
    return re.sub(r"/\S*/", "", said)


def text(f: dict) -> str:
    """The page."""
    seconds, processor, memory = f["plain"]
    part = f["plain_part"]
    one, two = f["one"], f["two"]
    each = two["processor"] / f["trips"]
    hours = each * FLEET / 3600
    least = processor / f["trips"] * FLEET / 3600
    share = processor / two["processor"]
    share_one = part[1] / one["processor"]
    hmm, model = f["start"]["hmm"], f["start"]["rntrajrec"]
    return f"""# Spark

`retrace.spark.recover` (see [integrations/python](../integrations/python/README.md)) runs Retrace in
the tasks of a Spark cluster: one process of `retrace stream` each, fed through `mapInArrow`. The
figures below are made by `make check-spark POINTS={f['wanted']}`, which starts a standalone cluster on one computer (a
master and two workers of one core each), recovers trips of Porto by map matching on it and by the
plain program, compares the rows and then breaks things. It ran on {f['day']} with {f['retrace']}, Spark {f['spark']}, {f['java']},
Python {f['python']}; others worked on the computer at the same time (load {f['load']:.0f} on its two cores), so that seconds
of the processor count and those of the clock do not.

## The same rows

{f['trips']:,} trips of {f['points']:,} points, which lay scattered over eight Parquet files, gave {f['rows']:,} rows on two workers: those of
the plain program, bit by bit in all of time, place, segment, way, nodes, ratio, probability,
layer and deck.

What was broken on purpose, on {f['some']} of the trips:

{chr(10).join(f"- {line}." for line in f['killed'])}
- Bad trips among the others were refused, each by a row with its reason, and the others are the plain program's:
{chr(10).join(f"  - {line}" for line in f['poison'])}
- A trip of a million points in a task with too little memory fails the job, after Spark's four attempts:
  `{f['memory']}`.
- A network file with one wrong byte ends it on the driver, before the job: `{bare(f['damaged'])}`.
- Another network under the same name on the workers fails the job: `{f['wrong']}`.

## What it takes

| | trips | clock | processor | processor a trip | of the plain program's speed per core |
| --- | --- | --- | --- | --- | --- |
| plain program, one thread | {f['trips']:,} | {seconds:.0f} s | {processor:.0f} s | {1000 * processor / f['trips']:.1f} ms | |
| two workers | {f['trips']:,} | {two['seconds']:.0f} s | {two['processor']:.0f} s | {1000 * each:.1f} ms | {100 * share:.0f} % |
| plain program, one thread | {f['some']:,} | {part[0]:.0f} s | {part[1]:.0f} s | {1000 * part[1] / f['some']:.1f} ms | |
| one worker | {f['some']:,} | {one['seconds']:.0f} s | {one['processor']:.0f} s | {1000 * one['processor'] / f['some']:.1f} ms | {100 * share_one:.0f} % |

The processor of the workers is all of it: Java, Python and Retrace, from a cold executor, with one process a
task. Small jobs are mostly that start: below 85 % of the plain program's speed per core the aim is missed, and
a job of so few trips does not tell what a large one reaches (`make check-spark` without POINTS takes a million points).

| | hmm | rntrajrec |
| --- | --- | --- |
| a process is ready: clock | {hmm[0]:.2f} s | {model[0]:.2f} s |
| it starts and ends: processor | {hmm[1]:.2f} s | {model[1]:.2f} s |
| its memory when it is ready, the mapped network included | {mib(hmm[2])} | {mib(model[2])} |

| at most, while the job ran | |
| --- | --- |
| memory of a process of Retrace | {mib(two['retrace'])} |
| of the largest other process, which is an executor's Java | {mib(max(two['python'], two['java']))} |
| written for the shuffle | {two['shuffled'] / 2**20:.1f} MiB, {two['shuffled'] / f['points']:.1f} bytes a point |
| network file, shipped once to each worker | {mib(f['network'])} |

## A hundred million trips

Trips like these ({f['points'] / f['trips']:.0f} points each), by map matching. The line of two workers has the start of Java, Python and
{f['trips']:,} trips' share of it in it, so that it is an upper bound, the worse the smaller the job; the plain program's is a lower one.

- processor: from {1000 * processor / f['trips']:.1f} ms x {FLEET:,} = {least:,.0f} core hours to {1000 * each:.1f} ms x {FLEET:,} = {hours:,.0f}; on 200 cores {least / 200:.1f} to {hours / 200:.1f} hours;
- money: {least * PRICE:,.0f} to {hours * PRICE:,.0f} dollars, if a core costs {PRICE} dollars an hour (an assumption: put your own price);
- shuffle: {two['shuffled'] / f['points'] * f['points'] / f['trips'] * FLEET / 2**30:,.0f} GiB, or none where each trip is one row with lists;
- memory beside Spark's own: {mib(two['retrace'])} a core, and a Python worker.

This takes it that work grows evenly with trips, and does not hold for a network of another
size or trips of another kind. The model is not measured on the cluster here.

What breaks first: local disks for the shuffle; then a trip with far more points than others, whose task
runs on alone (a process works at a trip with one thread). A network of a whole country in each
process: its arrays are shared, what is derived from them is not.

## For operators

**Memory.** Retrace and Python run beside Java: `spark.executor.memoryOverhead` (Kubernetes, YARN) must hold
a process of Retrace and one of Python for each core of the executor, as in the table, and as much again for networks of that size.
`GOMEMLIMIT=600MiB` in the executors' environment has Retrace collect sooner. A batch is 4 MiB of input
(`batch_bytes`). A task that is killed for memory is told as `retrace was ended by signal 9`.

**The program.** It is in the wheel: install that in the image or the environment that you ship
(`spark.archives`, conda-pack, `--py-files` does not do: it holds a program). Or set `RETRACE_BINARY` by
`spark.executorEnv.RETRACE_BINARY`, with the library of models beside it. `integrations/python/Dockerfile` makes an image of Spark with both.

**Kubernetes.** `spark.kubernetes.container.image` is that image. Retrace needs no network, no home and no disk;
containers may be read-only but for `/tmp`.

**YARN.** `spark.yarn.dist.archives` with the packed environment, `spark.pyspark.python` inside it.

**S3.** Spark reads and writes it; Retrace sees rows only. The network file goes by `addFile` from the
driver: give it a local path.

**Logs.** What Retrace says on standard error comes with the exception of a task that fails, its last 2000 letters. Rows that were
refused have their `reason`. `retrace.spark.Counts` counts trips, refusals and seconds while a job runs.

**Partitions.** Some thousand trips each: a process starts for each task. With lists no shuffle is
needed. A task that runs twice, by speculation or after a failure, gives the same rows in the same order.

**Missing so far.** Several networks by area with a routing column; turns and matrices over the
result (links are there); skew is met by many partitions only. `docker build` was not tried.
"""
