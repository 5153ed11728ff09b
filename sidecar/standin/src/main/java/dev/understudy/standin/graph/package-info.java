/**
 * Which services call which, how often and in what order, from traces.
 */
@NullMarked
package dev.understudy.standin.graph;

import org.jspecify.annotations.NullMarked;
