package dev.understudy.example.orders.ordering;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A placed order; amounts are euro cents, the id and the time are the database's. */
record Order(
        long id,
        Instant placedAt,
        long totalCents,
        @Nullable String note,
        List<OrderLine> lines) {}
