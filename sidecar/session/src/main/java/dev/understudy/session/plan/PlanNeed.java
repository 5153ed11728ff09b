package dev.understudy.session.plan;

/**
 * A privilege or program that a session needs on this machine.
 *
 * @param name of a program or capability
 * @param isThere whether this process has it
 * @param wayOut what to do without it, in a few words
 */
public record PlanNeed(String name, boolean isThere, String wayOut) {}
