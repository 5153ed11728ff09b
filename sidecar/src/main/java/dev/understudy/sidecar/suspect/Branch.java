package dev.understudy.sidecar.suspect;

import java.util.List;

/**
 * A conditional jump of a method, or one of the ways of a switch.
 *
 * @param line where it stands
 * @param to the line that it jumps to
 * @param condition which of its line's jumps it is, from 1; 0 for a switch
 * @param conditions how many jumps that line has
 * @param asked methods whose results it looks at, and those whose results these return, the nearest first
 * @param setters methods that set a field it looks at
 */
record Branch(
        String method, Line line, Line to, int condition, int conditions, List<String> asked, List<String> setters)
        implements Inside {
    Branch {
        asked = List.copyOf(asked);
        setters = List.copyOf(setters);
    }

    /** What all ways of a switch have in common: it is known of one whether it was taken when any of them was. */
    @Override
    public Branch site() {
        return condition > 0 ? this : new Branch(method, line, Line.NONE, 0, conditions, List.of(), List.of());
    }

    @Override
    public int ownLine() {
        return line.own();
    }

    @Override
    public int kinds() {
        return Predicate.ALL.length;
    }

    @Override
    public String words(int kind) {
        String place = "at line " + line
                + (conditions > 1 && condition > 0 ? ", condition " + condition + " of " + conditions + "," : "");
        if (condition == 0) {
            return place + " chose line " + to;
        }
        boolean same = to.number() == line.number();
        if (Predicate.ALL[kind] == Predicate.WENT_ON) {
            return place + " went on" + (same ? "" : ", not to line " + to);
        }
        return place + (same ? " jumped" : " went to line " + to);
    }
}
