/**
 * How calls of one kind are treated that production's calls don't answer: how long they wait, what they get, and which
 * of them have no twin at all.
 */
@NullMarked
package dev.understudy.aggregator.policy;

import org.jspecify.annotations.NullMarked;
