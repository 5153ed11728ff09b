/** Prices before ordering, asked of the pricing service. */
@NullMarked
package dev.understudy.example.orders.quote;

import org.jspecify.annotations.NullMarked;
