package dev.understudy.agent.branch;

/** What a branch's number stands for: a conditional jump of a method, or one of the ways of a switch. Immutable. */
public final class Branch {
    private final String className;
    private final String method;
    private final int line;
    private final int to;
    private final int condition;
    private final int conditions;

    Branch(String className, String method, int line, int to, int condition, int conditions) {
        this.className = className;
        this.method = method;
        this.line = line;
        this.to = to;
        this.condition = condition;
        this.conditions = conditions;
    }

    /** The class's name with dots. */
    public String className() {
        return className;
    }

    /** The method's name, with its parameters if there are several of that name. */
    public String method() {
        return method;
    }

    /** The line it stands in. */
    public int line() {
        return line;
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
