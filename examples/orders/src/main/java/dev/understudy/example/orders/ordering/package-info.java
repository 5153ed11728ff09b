/** Orders, what they cost, and the papers attached to them. */
@NullMarked
package dev.understudy.example.orders.ordering;

import org.jspecify.annotations.NullMarked;
