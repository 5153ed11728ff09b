package dev.understudy.example.orders.ordering;

/** A product in an order. */
record OrderLine(long productId, int quantity, long totalCents) {}
