import logging
logging.basicConfig(filename='engine.log')
logging.warning('begun')
