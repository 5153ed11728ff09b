package dev.understudy.agent.branch;

/** A conditional jump of a method, or one of the ways of a switch. Immutable. */
public final class Branch extends Site {
    private final int to;
    private final int condition;
    private final int conditions;

    Branch(String className, String method, int line, int to, int condition, int conditions) {
        super(className, method, line);
        this.to = to;
        this.condition = condition;
        this.conditions = conditions;
    }

    /** The line that it jumps to. */
    public int to() {
        return to;
    }

    /** Which of its line's jumps it is, from 1; 0 for a switch. */
    public int condition() {
        return condition;
    }

    /** How many jumps that line has in its method, switches not counted. */
    public int conditions() {
        return conditions;
    }
}
