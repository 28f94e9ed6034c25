"""RNTrajRec made to work in any city, in PyTorch.

Python only trains: every feature is made by the Go package engine/feature and
comes as tensors in the data sets that engine/dataset writes. One file holds one
component, under the name that it has in the paper (Chen et al., "RNTrajRec: Road
Network Enhanced Trajectory Recovery with Spatial-Temporal Transformer"):

    schema.py          names and groups of the feature columns
    data.py            data sets
    batch.py           batches of their trips
    gridgnn.py         GridGNN: segments to X_road (eq. 2-6)
    subgraph.py        sub-graph generation (eq. 7, 8)
    gpsformer.py       GPSFormer: transformer encoder, graph refinement (eq. 9-19)
    decoder_routes.py  where: candidates and routes, a linear-chain CRF
    decoder_time.py    when: the time that each piece of a route takes
    ticks.py           the ticks of a batch and what may be chosen at each
    decoder_ticks.py   the paper's decoder, tick by tick (eq. 20-25)
    losses.py          L_id, L_rate, L_enc and their sum (eq. 23-28)
    model.py           all of it, with a switch for each part
    train.py           training
    graphs.py          the graphs that the application runs
    dense.py           their formulas, in operators that devices run whole
    inputs.py          what the graphs are given
    export.py          ONNX graphs and their manifest
"""
