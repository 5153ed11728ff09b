package dev.understudy.agent.budget;

/** What the operator wants of a probe. */
public enum Stance {
    /** Nothing: the controller decides. */
    FREE,
    /** That it always has a part of the budget. */
    ARMED,
    /** That no call is sampled. */
    OFF
}
