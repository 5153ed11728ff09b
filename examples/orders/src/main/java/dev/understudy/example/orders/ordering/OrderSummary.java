package dev.understudy.example.orders.ordering;

import java.time.Instant;

/** An order in a list. */
record OrderSummary(long id, Instant placedAt, long totalCents) {}
