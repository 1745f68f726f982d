"""Tables of Google's Cloud Bigtable as datasets, through google-cloud-bigtable."""
