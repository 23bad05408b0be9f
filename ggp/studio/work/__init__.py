"""What runs in processes of their own: functions that take an order and give plain data."""
