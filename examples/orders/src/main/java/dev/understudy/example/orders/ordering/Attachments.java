package dev.understudy.example.orders.ordering;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of attachments. */
@Repository
class Attachments {
    private final JdbcClient jdbc;

    Attachments(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Attachment store(long orderId, String name, byte[] content) {
        byte[] hash = sha256(content);
        long id = jdbc.sql("INSERT INTO attachments (order_id, name, sha256, content) VALUES (?, ?, ?, ?) RETURNING id")
                .params(orderId, name, hash, content)
                .query(Long.class)
                .single();
        return new Attachment(id, name, content.length, HexFormat.of().formatHex(hash));
    }

    Optional<byte[]> content(long customerId, long id) {
        return jdbc.sql("""
                        SELECT a.content FROM attachments a JOIN orders o ON o.id = a.order_id
                        WHERE a.id = ? AND o.customer_id = ?
                        """)
                .params(id, customerId)
                .query((row, number) -> row.getBytes(1))
                .optional();
    }

    private static byte[] sha256(byte[] content) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(content);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
