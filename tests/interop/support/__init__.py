"""What the interop tests share: brokers, recording subscribers, and the Ice protocol by hand."""
