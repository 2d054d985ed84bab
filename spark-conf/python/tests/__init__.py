"""Tests of the parts that need neither Spark nor a cluster: python3 -m unittest, in the directory above."""
