/**
 * How alike a stand-in is to the service that its model was learned from.
 */
@NullMarked
package dev.understudy.it.bench.standin;

import org.jspecify.annotations.NullMarked;
