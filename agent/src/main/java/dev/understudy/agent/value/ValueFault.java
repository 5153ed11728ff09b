package dev.understudy.agent.value;

/** That there is no value, and why. Stands where a value would; whatever is made of it is the same fault. Immutable. */
public final class ValueFault {
    private final String why;

    /** @param why as a part of a sentence: {@code Cart has no field coupon} */
    public ValueFault(String why) {
        this.why = why;
    }

    /** Why there is none. */
    public String why() {
        return why;
    }

    @Override
    public String toString() {
        return "<" + why + ">";
    }
}
