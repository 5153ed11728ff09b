package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.Manifest;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Changed manifests.
 *
 * @param manifests in the order in which they have to be applied
 * @param notes what the user should know of them, each with its way out
 */
public record InjectionResult(List<Manifest> manifests, List<String> notes) {
    /** All manifests as one text. */
    public String text() {
        return manifests.stream().map(Manifest::text).collect(Collectors.joining("---\n"));
    }
}
