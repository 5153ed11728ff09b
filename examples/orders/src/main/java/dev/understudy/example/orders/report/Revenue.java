package dev.understudy.example.orders.report;

import java.time.Instant;
import java.util.List;

/** What was sold in a category; {@code generatedAt} is this JVM's clock. */
record Revenue(String category, Instant generatedAt, List<Row> products) {
    record Row(String sku, long orders, long quantity, long totalCents) {}
}
