package dev.understudy.sidecar.lane;

import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.tee.Sampling;
import dev.understudy.sidecar.tee.TeeSwitch;
import org.jspecify.annotations.Nullable;

/**
 * Says of each request whether the debug JVM gets it: by itself, or as a part of what hangs together. Confined to its
 * lane loop.
 */
final class Selection {
    /** What becomes of a request. */
    enum Fate {
        /** The debug JVM gets it. */
        DELIVER,
        /** The sampling leaves it out. */
        SKIP,
        /** It is left out for want of room. */
        SHED,
        /** A later one of the same unit decides. */
        HOLD,
        /** It must go, and can't, since it is part of what is left out already. */
        TORN
    }

    private final TeeSwitch tee;
    private final Shedding shedding;

    /** That of the unit that has begun. */
    private @Nullable Fate unit;

    Selection(TeeSwitch tee, Shedding shedding) {
        this.tee = tee;
        this.shedding = shedding;
    }

    /** @param over whether nothing is delivered any more, so that leaving something out would free nothing */
    Fate next(Request request, boolean over) {
        Fate fate = fate(request, over);
        boolean goesOn = request.part() == Request.Part.FIRST || request.part() == Request.Part.INNER;
        boolean state = request.part() == Request.Part.STATE && unit != null;
        unit = goesOn || state ? fate : null;
        return fate;
    }

    private Fate fate(Request request, boolean over) {
        Sampling sampling = tee.sampling();
        return switch (request.part()) {
            case ALONE -> request.isIn(sampling) ? wanted(over) : Fate.SKIP;
            case STATE -> unit == Fate.SHED ? Fate.TORN : Fate.DELIVER;
            case FIRST -> sampling.choosesKeys() ? Fate.HOLD : wanted(over);
            case INNER -> unit != Fate.HOLD ? unit() : request.isIn(sampling) ? wanted(over) : Fate.HOLD;
            case LAST -> unit == Fate.HOLD ? Fate.SKIP : unit();
        };
    }

    private Fate wanted(boolean over) {
        return !over && shedding.on() ? Fate.SHED : Fate.DELIVER;
    }

    private Fate unit() {
        return unit == null ? Fate.DELIVER : unit;
    }

    /** What was held can't be held any longer. */
    Fate release(boolean over) {
        Fate fate = wanted(over);
        unit = fate;
        return fate;
    }

    /** Whether the debug JVM lacks the beginning of what hangs together with the next request. */
    boolean isTorn() {
        return unit == Fate.SHED;
    }
}
