package dev.understudy.example.orders.catalogue;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of products. */
@Repository
class Products {
    private static final String COLUMNS = "SELECT id, sku, name, category, price_cents FROM products ";

    private final JdbcClient jdbc;

    Products(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<Product> in(String category, int limit, int offset) {
        return jdbc.sql(COLUMNS + "WHERE ? IN ('', category) ORDER BY id LIMIT ? OFFSET ?")
                .params(category, limit, offset)
                .query(Product.class)
                .list();
    }

    Optional<Product> withId(long id) {
        return jdbc.sql(COLUMNS + "WHERE id = ?").param(id).query(Product.class).optional();
    }
}
