import argparse
parser = argparse.ArgumentParser()
parser.add_argument('rate')
parser.parse_args()
