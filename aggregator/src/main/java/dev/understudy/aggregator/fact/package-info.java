/**
 * What production's connections taught about a server and is no exchange: asked for any number of times, and waited
 * for, bounded, where it isn't known yet. The SQL protocols keep it so.
 */
@NullMarked
package dev.understudy.aggregator.fact;

import org.jspecify.annotations.NullMarked;
