"""What bench/compare is made of: brokers, rows of work, one measured run, the report."""
