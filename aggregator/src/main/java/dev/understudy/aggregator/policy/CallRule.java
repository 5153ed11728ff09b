package dev.understudy.aggregator.policy;

/** Calls that are treated otherwise than the rest of their upstream. */
public record CallRule(FormPattern form, MissPolicy treatment) {}
