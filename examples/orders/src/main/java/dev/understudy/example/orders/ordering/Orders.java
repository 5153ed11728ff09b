package dev.understudy.example.orders.ordering;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The tables of orders and their lines. */
@Repository
class Orders {
    private static final int LONGEST_LIST = 20;

    private final JdbcClient jdbc;
    private final JdbcTemplate template;
    private final Discounts discounts;

    Orders(JdbcClient jdbc, JdbcTemplate template, Discounts discounts) {
        this.jdbc = jdbc;
        this.template = template;
        this.discounts = discounts;
    }

    /**
     * Takes the products from stock and writes the order, all or nothing.
     *
     * @throws OutOfStock if a product doesn't exist or there is too little of it
     * @throws QuoteBroken if it would cost something else than was quoted
     */
    @Transactional
    public Order place(long customerId, NewOrder wanted) {
        List<OrderLine> lines = new ArrayList<>();
        wanted.quantities().forEach((product, quantity) -> {
            long unitCents = takeFromStock(product, quantity);
            lines.add(new OrderLine(product, quantity, discounts.lineTotal(unitCents, quantity)));
        });
        long total = lines.stream().mapToLong(OrderLine::totalCents).sum();
        wanted.requireQuoted(total);
        Order order = insert(customerId, total, wanted.note(), lines);
        template.batchUpdate(
                "INSERT INTO order_lines (order_id, product_id, quantity, total_cents) VALUES (?, ?, ?, ?)",
                lines,
                lines.size(),
                (statement, line) -> {
                    statement.setLong(1, order.id());
                    statement.setLong(2, line.productId());
                    statement.setInt(3, line.quantity());
                    statement.setLong(4, line.totalCents());
                });
        return order;
    }

    /** Returns the price of one in euro cents. */
    private long takeFromStock(long productId, int quantity) {
        return jdbc.sql("UPDATE products SET stock = stock - ? WHERE id = ? AND stock >= ? RETURNING price_cents")
                .params(quantity, productId, quantity)
                .query(Long.class)
                .optional()
                .orElseThrow(() -> new OutOfStock(productId));
    }

    private Order insert(long customerId, long totalCents, @Nullable String note, List<OrderLine> lines) {
        GeneratedKeyHolder made = new GeneratedKeyHolder();
        jdbc.sql("INSERT INTO orders (customer_id, total_cents, note) VALUES (:customer, :total, :note)")
                .param("customer", customerId)
                .param("total", totalCents)
                .param("note", note, Types.VARCHAR)
                .update(made, "id", "placed_at");
        Map<String, Object> keys = Objects.requireNonNull(made.getKeys());
        if (!(keys.get("id") instanceof Long id) || !(keys.get("placed_at") instanceof Timestamp placedAt)) {
            throw new IllegalStateException("The database returned no key: " + keys);
        }
        return new Order(id, placedAt.toInstant(), totalCents, note, List.copyOf(lines));
    }

    List<OrderSummary> of(long customerId) {
        return jdbc.sql("SELECT id, placed_at, total_cents FROM orders WHERE customer_id = ? ORDER BY id DESC LIMIT "
                        + LONGEST_LIST)
                .param(customerId)
                .query((row, number) -> new OrderSummary(row.getLong("id"), placedAt(row), row.getLong("total_cents")))
                .list();
    }

    Optional<Order> withId(long customerId, long id) {
        return jdbc.sql("SELECT placed_at, total_cents, note FROM orders WHERE id = ? AND customer_id = ?")
                .params(id, customerId)
                .query((row, number) ->
                        new Order(id, placedAt(row), row.getLong("total_cents"), row.getString("note"), lines(id)))
                .optional();
    }

    private List<OrderLine> lines(long id) {
        return jdbc.sql("SELECT product_id, quantity, total_cents FROM order_lines WHERE "
                        + "order_id = ? ORDER BY product_id")
                .param(id)
                .query(OrderLine.class)
                .list();
    }

    private static Instant placedAt(ResultSet row) throws SQLException {
        return row.getTimestamp("placed_at").toInstant();
    }
}
