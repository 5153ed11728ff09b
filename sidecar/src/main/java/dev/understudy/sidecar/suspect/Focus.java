package dev.understudy.sidecar.suspect;

import java.util.List;

/**
 * Where agents should look closer.
 *
 * @param classes those whose branches are to be told of, the most promising first
 * @param methods those that are suspected, the most suspicious first
 */
public record Focus(List<String> classes, List<String> methods) {
    public Focus {
        classes = List.copyOf(classes);
        methods = List.copyOf(methods);
    }
}
