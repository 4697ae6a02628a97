import faulthandler

faulthandler.dump_traceback_later(0.3, exit=True)
