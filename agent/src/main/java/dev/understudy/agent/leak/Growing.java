package dev.understudy.agent.leak;

/** A class of which there are more and more live objects. Immutable. */
public final class Growing {
    private final String className;
    private final long objects;
    private final long more;
    private final double perThousand;

    Growing(String className, long objects, long more, double perThousand) {
        this.className = className;
        this.objects = objects;
        this.more = more;
        this.perThousand = perThousand;
    }

    /** Its name as source code spells it, arrays with brackets. */
    public String className() {
        return className;
    }

    /** Live objects at the last count. */
    public long objects() {
        return objects;
    }

    /** By how many those were more than at the first of the counts that are looked at. */
    public long more() {
        return more;
    }

    /** How many more with every thousand exchanges: the median of what each two counts say. */
    public double perThousand() {
        return perThousand;
    }
}
