import unittest
unittest.TestCase().assertEqual((Value(1) + 2).data, 4)
