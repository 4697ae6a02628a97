import faulthandler, gc, tracemalloc

tracemalloc.start()
faulthandler.enable()
gc.set_debug(gc.DEBUG_STATS)
gc.collect()
gc.freeze()
