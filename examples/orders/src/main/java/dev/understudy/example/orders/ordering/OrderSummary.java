package dev.understudy.example.orders.ordering;

import java.time.OffsetDateTime;

/** An order in a list. */
record OrderSummary(long id, OffsetDateTime placedAt, long totalCents) {}
