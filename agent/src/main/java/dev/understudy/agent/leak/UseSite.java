package dev.understudy.agent.leak;

import java.util.List;

/** Where objects of a class are made, as far as the application's own methods tell. Immutable. */
public final class UseSite {
    private final List<String> methods;
    private final List<String> stack;
    private final long sampled;
    private final long survived;
    private final double part;

    UseSite(List<String> methods, List<String> stack, long sampled, long survived, double part) {
        this.methods = List.copyOf(methods);
        this.stack = List.copyOf(stack);
        this.sampled = sampled;
        this.survived = survived;
        this.part = part;
    }

    /** The application's methods on top of the stack, that which was nearest to the allocation first. */
    public List<String> methods() {
        return methods;
    }

    /** The stack when one was made there, as far as it is kept. */
    public List<String> stack() {
        return stack;
    }

    /** How many objects that were made there were looked at. */
    public long sampled() {
        return sampled;
    }

    /** How many of those were still there two full collections after the first. */
    public long survived() {
        return survived;
    }

    /** Its share of all objects of the class that stay, 0 to 1. */
    public double part() {
        return part;
    }
}
