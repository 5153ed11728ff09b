package dev.understudy.standin.learn;

import dev.understudy.divergence.content.Folding;
import dev.understudy.standin.model.RequestModel;
import dev.understudy.standin.model.TargetPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides which parts of paths belong to a route, and which are data: numbers and ids, and places at which there are
 * many words.
 */
final class PathWords {
    /** A place with more words than this holds data. */
    static final int MOST_WORDS = 24;

    private static final int MOST_GROUPS = 1000;

    private final Map<String, List<Set<String>>> words = new HashMap<>();

    /** A path taken apart. */
    record ParsedPath(String path, List<String> parts) {}

    /** Counts the words of one request; all requests are counted before the first is parsed. */
    void add(String method, String target) {
        List<String> segments = TargetPath.segments(target);
        String group = method + " " + segments.size();
        if (!words.containsKey(group) && words.size() >= MOST_GROUPS) {
            return;
        }
        List<Set<String>> places = words.computeIfAbsent(group, any -> new ArrayList<>());
        for (int i = 0; i < segments.size(); i++) {
            if (places.size() <= i) {
                places.add(new HashSet<>());
            }
            if (places.get(i).size() <= MOST_WORDS && !isData(segments.get(i))) {
                places.get(i).add(segments.get(i));
            }
        }
    }

    /** A path with {@link RequestModel#PART} where data stands. */
    ParsedPath parse(String method, String target) {
        List<String> segments = TargetPath.segments(target);
        List<Set<String>> places = words.getOrDefault(method + " " + segments.size(), List.of());
        StringBuilder path = new StringBuilder();
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            boolean many = i >= places.size() || places.get(i).size() > MOST_WORDS;
            if (!segment.isEmpty() && (many || isData(segment))) {
                parts.add(segment);
                path.append('/').append(RequestModel.PART);
            } else {
                path.append('/').append(segment);
            }
        }
        return new ParsedPath(path.toString(), parts);
    }

    private static boolean isData(String segment) {
        return segment.length() > 64
                || segment.indexOf('{') >= 0
                || !Folding.route(segment).equals(segment);
    }
}
