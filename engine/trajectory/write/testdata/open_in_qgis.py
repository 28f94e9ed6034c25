"""Loads a GeoPackage in QGIS, says how its layers look, and draws them. usage: open_in_qgis.py FILE.gpkg MAP.png"""

import sys

from qgis.core import QgsApplication, QgsMapRendererParallelJob, QgsMapSettings, QgsRenderContext, QgsVectorLayer
from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QColor

app = QgsApplication([], False)
app.initQgis()
layers = []
for name in ["points", "path", "spans", "links"]:
    layer = QgsVectorLayer(f"{sys.argv[1]}|layername={name}", name, "ogr")
    look = layer.renderer()
    colours = [s.color().name() for s in look.symbols(QgsRenderContext())]
    print(name, layer.featureCount(), layer.crs().authid(), look.type(), *colours)
    layers.append(layer)
settings = QgsMapSettings()
settings.setLayers(layers)
settings.setOutputSize(QSize(400, 300))
settings.setBackgroundColor(QColor("white"))
settings.setDestinationCrs(layers[0].crs())
extent = layers[1].extent()
extent.grow(0.001)
settings.setExtent(extent)
job = QgsMapRendererParallelJob(settings)
job.start()
job.waitForFinished()
image = job.renderedImage()
image.save(sys.argv[2])
seen = {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}
if {"#0072b2", "#1b1f24", "#ffffff"} <= seen:
    print("picture with path and points")
