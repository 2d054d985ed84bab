# The first cell of a notebook. docs/notebooks.md says how to get the package, and what session() takes.
#   BOLT_MASTER     spark://HOST:PORT of the master (default: that of the profile, or of 'bolt cluster start' on this machine)
#   BOLT_PROFILE    a file of Spark settings, such as notebook-cluster.conf (default: none)
#   BOLT_PLUGIN_JAR another jar than the package's
import boltshuffle

spark = boltshuffle.session()
print("Spark", spark.version, "with its UI at", spark.sparkContext.uiWebUrl)
# After a cell that shuffles, %bolt shows what went by RDMA.
