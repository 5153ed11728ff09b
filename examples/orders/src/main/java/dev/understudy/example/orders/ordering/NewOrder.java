package dev.understudy.example.orders.ordering;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a customer asks for.
 *
 * @param quotedCents what a quote has promised it to cost; null if there was none
 */
record NewOrder(
        List<Line> lines, @Nullable String note, @Nullable Long quotedCents) {
    private static final int MOST = 1_000_000;

    record Line(long productId, int quantity) {}

    NewOrder {
        lines = List.copyOf(lines);
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("lines: none (expected: at least one)");
        }
        for (Line line : lines) {
            if (line.quantity() < 1 || line.quantity() > MOST) {
                throw new IllegalArgumentException("quantity: " + line.quantity() + " (expected: 1 to " + MOST + ")");
            }
        }
    }

    /** Quantities by product; in the products' order, so that two orders never wait for each other's row locks. */
    SortedMap<Long, Integer> quantities() {
        SortedMap<Long, Integer> quantities = new TreeMap<>();
        lines.forEach(line -> quantities.merge(line.productId(), line.quantity(), Integer::sum));
        return quantities;
    }

    /**
     * Holds the shop to its quote.
     *
     * @throws QuoteBroken if the order costs something else
     */
    void requireQuoted(long totalCents) {
        if (quotedCents != null && quotedCents != totalCents) {
            throw new QuoteBroken(quotedCents, totalCents);
        }
    }
}
