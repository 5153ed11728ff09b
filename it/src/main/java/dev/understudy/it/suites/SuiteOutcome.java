package dev.understudy.it.suites;

import dev.understudy.it.fidelity.Outcome.Mode;

/**
 * What a run of a suite on both sides came to.
 *
 * @param foreign connections and commands at the real server that weren't production's: there must be none
 */
public record SuiteOutcome(DriverSuite suite, Mode mode, SuiteComparison comparison, long foreign) {}
