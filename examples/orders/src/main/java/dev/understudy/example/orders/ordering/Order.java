package dev.understudy.example.orders.ordering;

import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A placed order; amounts are euro cents, the id and the time are the database's. */
record Order(
        long id,
        OffsetDateTime placedAt,
        long totalCents,
        @Nullable String note,
        List<OrderLine> lines) {}
