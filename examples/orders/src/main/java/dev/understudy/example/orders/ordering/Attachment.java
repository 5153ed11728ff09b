package dev.understudy.example.orders.ordering;

/** A paper attached to an order; the id is the database's, {@code sha256} is in hexadecimal. */
record Attachment(long id, String name, int size, String sha256) {}
