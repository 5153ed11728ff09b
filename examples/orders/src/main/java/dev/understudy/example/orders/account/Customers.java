package dev.understudy.example.orders.account;

import java.util.HexFormat;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of customers. */
@Repository
class Customers {
    private final JdbcClient jdbc;

    Customers(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Customer> named(String name) {
        return jdbc.sql("SELECT id, name, salt, password_hash FROM customers WHERE name = ?")
                .param(name)
                .query((row, number) -> new Customer(
                        row.getLong("id"),
                        row.getString("name"),
                        HexFormat.of().formatHex(row.getBytes("salt")),
                        HexFormat.of().formatHex(row.getBytes("password_hash"))))
                .optional();
    }
}
