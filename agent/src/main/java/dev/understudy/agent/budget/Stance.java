package dev.understudy.agent.budget;

/** What the operator wants of a probe. */
public enum Stance {
    /** Nothing: the controller decides. */
    FREE,
    /** That it always has a part of the budget. */
    ARMED,
    /** That its calls aren't seen: neither counted nor sampled nor told of as parts of exchanges. */
    OFF
}
