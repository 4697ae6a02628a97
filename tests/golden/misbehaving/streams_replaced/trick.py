import sys
sys.stdout = sys.stderr = sys.stdin = None
