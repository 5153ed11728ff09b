/** The aggregator's settings, as they are read and checked. */
@NullMarked
package dev.understudy.aggregator.config;

import org.jspecify.annotations.NullMarked;
