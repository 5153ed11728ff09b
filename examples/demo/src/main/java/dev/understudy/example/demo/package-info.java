/** {@code ./understudy demo}: a real service and its understudy, end to end, on one machine. */
@NullMarked
package dev.understudy.example.demo;

import org.jspecify.annotations.NullMarked;
