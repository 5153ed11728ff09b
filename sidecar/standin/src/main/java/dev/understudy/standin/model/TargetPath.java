package dev.understudy.standin.model;

import java.net.URI;
import java.util.List;

/** The path of a request's target, in its segments. */
public final class TargetPath {
    private static final String ABSOLUTE = "http://";

    private TargetPath() {}

    /** Of {@code /orders/7?a=b}, and of {@code http://host/orders/7}: orders and 7. */
    public static List<String> segments(String target) {
        int end = target.indexOf('?');
        String path = end < 0 ? target : target.substring(0, end);
        if (path.startsWith(ABSOLUTE)) {
            path = pathOf(path);
        }
        return List.of((path.startsWith("/") ? path.substring(1) : path).split("/", -1));
    }

    private static String pathOf(String absolute) {
        try {
            String path = URI.create(absolute).getRawPath();
            return path == null || path.isEmpty() ? "/" : path;
        } catch (IllegalArgumentException odd) {
            return "/";
        }
    }
}
