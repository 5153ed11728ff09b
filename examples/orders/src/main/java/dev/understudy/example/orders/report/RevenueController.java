package dev.understudy.example.orders.report;

import java.time.Clock;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Reports of what was sold. */
@RestController
class RevenueController {
    private final JdbcClient jdbc;
    private final Clock clock = Clock.systemUTC();

    RevenueController(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/reports/revenue")
    Revenue revenue(@RequestParam String category) {
        List<Revenue.Row> products =
                jdbc.sql("""
                        SELECT p.sku, count(*) AS orders, sum(l.quantity) AS quantity,
                               sum(l.total_cents)::bigint AS total_cents
                        FROM order_lines l JOIN products p ON p.id = l.product_id
                        WHERE p.category = ?
                        GROUP BY p.sku
                        ORDER BY total_cents DESC, p.sku
                        """).param(category).query(Revenue.Row.class).list();
        return new Revenue(category, clock.instant(), products);
    }
}
