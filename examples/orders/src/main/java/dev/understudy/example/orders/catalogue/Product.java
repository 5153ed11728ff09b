package dev.understudy.example.orders.catalogue;

/** A product as customers see it; the price is in euro cents. */
record Product(long id, String sku, String name, String category, long priceCents) {}
