input('a number: ')
