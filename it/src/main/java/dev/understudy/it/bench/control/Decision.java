package dev.understudy.it.bench.control;

/**
 * What the agent's controller had decided, as the agent notes ten times a second.
 *
 * @param at when it was noted, in milliseconds since 1970
 * @param budget of a core
 */
record Decision(double at, double budget) {}
