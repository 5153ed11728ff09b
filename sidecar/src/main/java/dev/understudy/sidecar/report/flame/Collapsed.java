package dev.understudy.sidecar.report.flame;

import dev.understudy.sidecar.report.Markup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Stacks as lines that flame graph tools read: frames with semicolons between them, a blank, how often. */
public final class Collapsed {
    private Collapsed() {}

    /** Those of one route, below a frame with its name. */
    public static List<String> lines(RouteProfile route) {
        List<String> lines = new ArrayList<>();
        String root = frame(route.listener().isEmpty() ? route.route() : route.listener() + ": " + route.route());
        for (RouteProfile.Node node : route.nodes()) {
            if (node.self() > 0) {
                lines.add(root + path(route, node) + ' ' + node.self());
            }
        }
        return lines;
    }

    private static String path(RouteProfile route, RouteProfile.Node top) {
        Deque<String> frames = new ArrayDeque<>();
        RouteProfile.Node node = top;
        while (node.parent() >= 0) {
            frames.push(frame(node.name()));
            node = route.nodes().get(node.parent());
        }
        frames.push(frame(node.name()));
        return ';' + String.join(";", frames);
    }

    /** Without what would end a frame. */
    private static String frame(String name) {
        String cleaned = clean(name).replace(';', ',').strip();
        return cleaned.isEmpty() ? "?" : cleaned;
    }

    /** Without what would steer a terminal. */
    static String clean(String name) {
        StringBuilder cleaned = new StringBuilder(name.length());
        name.codePoints().forEach(c -> cleaned.appendCodePoint(Markup.isHarmless(c) ? c : '_'));
        return cleaned.toString();
    }
}
