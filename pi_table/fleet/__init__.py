"""Programs for many tables: the bridge to MQTT, the collector, provisioning, updates."""
