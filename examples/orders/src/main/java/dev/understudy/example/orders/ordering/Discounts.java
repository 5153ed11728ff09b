package dev.understudy.example.orders.ordering;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What a line of an order costs after the discount for its quantity. */
@Repository
class Discounts {
    private final JdbcClient jdbc;

    Discounts(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    long lineTotal(long unitCents, int quantity) {
        int percent = jdbc.sql("SELECT percent FROM discounts WHERE quantity <= ? ORDER BY quantity DESC LIMIT 1")
                .param(quantity)
                .query(Integer.class)
                .single();
        return discounted(unitCents, percent) * quantity;
    }

    static long discounted(long cents, int percent) {
        return Math.round(cents * (100 - percent) / 100.0);
    }
}
