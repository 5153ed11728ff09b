package dev.understudy.sidecar.suspect;

import dev.understudy.sidecar.label.ExchangeOutcome;
import java.util.ArrayList;
import java.util.List;

/**
 * A method and what of it goes with failing.
 *
 * @param predicate in words, such as {@code threw}
 * @param line of the method's source that it is about; 0 if it is about all of the method, or that isn't known
 * @param importance 0 to 1
 * @param explains failing exchanges in which it held and none that ranks higher did
 * @param alike others that held in nearly the same of them
 * @param context methods by way of which it was called that run in nearly every good exchange too, the nearest first
 * @param example a failing exchange in which it held
 */
public record Suspect(
        String method,
        String predicate,
        int line,
        double importance,
        double increase,
        double low,
        double high,
        int failing,
        int successful,
        int failingObserved,
        int successfulObserved,
        int explains,
        List<Alike> alike,
        List<String> context,
        ExchangeOutcome example) {
    public Suspect {
        alike = List.copyOf(alike);
        context = List.copyOf(context);
    }

    /** The same with the first of those that stand behind it in its place, and itself first among them. */
    Suspect blamedOnSetter() {
        Alike setter = alike.get(0);
        return blamedOn(setter, alike.subList(1, alike.size()));
    }

    /**
     * The same with the first of what an experiment has shown in its place, itself first among those behind it, and the
     * others that were shown last; itself if none was.
     */
    public Suspect blamedOn(List<Alike> shown) {
        List<Alike> others = shown.stream()
                .filter(one -> !one.method.equals(method))
                .map(one -> new Alike(one.method, one.predicate, one.line, importance, false))
                .toList();
        if (others.isEmpty()) {
            return this;
        }
        List<Alike> behind = new ArrayList<>(alike);
        behind.addAll(others.subList(1, others.size()));
        return blamedOn(others.get(0), behind);
    }

    /** The counts stay those of what held, which is said, too. */
    private Suspect blamedOn(Alike blamed, List<Alike> behind) {
        List<Alike> others = new ArrayList<>();
        others.add(new Alike(method, predicate, line, importance, false));
        others.addAll(behind);
        return new Suspect(
                blamed.method,
                blamed.predicate + ": " + method + " " + predicate,
                blamed.line,
                importance,
                increase,
                low,
                high,
                failing,
                successful,
                failingObserved,
                successfulObserved,
                explains,
                others,
                context,
                example);
    }

    /**
     * Another predicate that can't be told from a suspect's by the exchanges seen so far.
     *
     * @param line like a suspect's
     * @param sets whether it sets, or calls what sets, the field that decided which way the suspect's method went
     */
    public record Alike(String method, String predicate, int line, double importance, boolean sets) {
        Alike(String method, String predicate, double importance) {
            this(method, predicate, 0, importance, false);
        }
    }
}
