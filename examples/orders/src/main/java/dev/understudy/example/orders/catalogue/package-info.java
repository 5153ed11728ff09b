/** The products: read through Redis, listed and exported from PostgreSQL. */
@NullMarked
package dev.understudy.example.orders.catalogue;

import org.jspecify.annotations.NullMarked;
