package dev.understudy.agent.leak;

import java.util.List;

/** A class of which there are more and more live objects. Immutable. */
public final class Growing {
    private final String className;
    private final long objects;
    private final long more;
    private final double perThousand;
    private final double low;
    private final double high;
    private final Places places;

    Growing(String className, long objects, long more, double perThousand, double low, double high, Places places) {
        this.className = className;
        this.objects = objects;
        this.more = more;
        this.perThousand = perThousand;
        this.low = low;
        this.high = high;
        this.places = places;
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

    /** The lower end of a 95 % interval of {@link #perThousand}. */
    public double low() {
        return low;
    }

    /** The upper end of a 95 % interval of {@link #perThousand}. */
    public double high() {
        return high;
    }

    /** Where those are made that stay, the most first; empty as long as nothing is known of that. */
    public List<UseSite> sites() {
        return places.made();
    }

    /**
     * Where those were used last that stay and weren't used since, the most first; empty as long as nothing is known of
     * that.
     */
    public List<UseSite> uses() {
        return places.used();
    }

    /** The application's classes that it extends. */
    public List<String> superclasses() {
        return places.superclasses();
    }
}
