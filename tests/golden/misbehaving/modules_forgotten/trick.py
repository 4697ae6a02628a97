import sys

sys.path.clear()
sys.meta_path.clear()
sys.path_hooks.clear()
for name in [name for name in sys.modules if name != __name__]:
    del sys.modules[name]
