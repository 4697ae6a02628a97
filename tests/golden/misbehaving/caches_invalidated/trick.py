import importlib, sys
importlib.invalidate_caches()
import json, statistics, wave, xml.dom.minidom
