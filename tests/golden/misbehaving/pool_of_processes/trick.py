import multiprocessing
try:
    pool = multiprocessing.get_context("fork").Pool(2)
    print("HARM")
except OSError:
    pass
