/**
 * Compares how long production and debug take for the same requests: whether one side is slower in general
 * ({@link dev.understudy.divergence.latency.MannWhitney}), and at one percentile
 * ({@link dev.understudy.divergence.latency.PercentileTest}).
 */
@NullMarked
package dev.understudy.divergence.latency;

import org.jspecify.annotations.NullMarked;
