import sys
sys.setrecursionlimit(1_000_000)
