rows = open('moons.csv').read()
