import matplotlib.pyplot as plt
