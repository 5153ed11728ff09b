package dev.understudy.agent.branch;

import java.util.List;

/** A conditional jump of a method, or one of the ways of a switch. Immutable. */
public final class BranchSite extends JumpSite {
    private final BranchLine to;
    private final int condition;
    private final int conditions;
    private final Decided decided;

    BranchSite(
            String className,
            String method,
            BranchLine line,
            BranchLine to,
            int condition,
            int conditions,
            Decided decided) {
        super(className, method, line);
        this.to = to;
        this.condition = condition;
        this.conditions = conditions;
        this.decided = decided;
    }

    /** The line that it jumps to. */
    public int to() {
        return to.number;
    }

    /** The same of the line that it jumps to. */
    public String toSource() {
        return to.source;
    }

    /** Which of its line's jumps it is, from 1; 0 for a switch. */
    public int condition() {
        return condition;
    }

    /** How many jumps that line has in its method, switches not counted. */
    public int conditions() {
        return conditions;
    }

    /**
     * Methods whose results it looks at, and those whose results these return, the nearest first; as far as the class
     * file tells.
     */
    public List<String> asked() {
        return decided.asked;
    }

    /** Methods of its class, constructors not among them, that set a field it looks at. */
    public List<String> setters() {
        return decided.setters;
    }
}
