import os
os.chdir('/')
