/** What was sold. */
@NullMarked
package dev.understudy.example.orders.report;

import org.jspecify.annotations.NullMarked;
