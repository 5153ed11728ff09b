package dev.understudy.kubernetes.manifest;

import java.util.Map;

/**
 * One document: a resource for Kubernetes.
 *
 * @param text what is written for it, with its comments, without the marker before it
 * @param tree what it says; not to be changed in place
 */
public record Manifest(String text, Map<String, Object> tree) {
    /** One that hasn't been there before, below lines of comment. */
    public static Manifest made(String comment, Map<String, Object> tree) {
        String lines = comment.isEmpty() ? "" : "# " + comment.replace("\n", "\n# ") + "\n";
        return new Manifest(lines + YamlTree.write(tree), tree);
    }

    /** What it is, such as {@code Deployment}; empty for a document of comments alone. */
    public String kind() {
        return ManifestFields.text(tree, "kind");
    }

    /** Its name; empty if it has none. */
    public String name() throws ManifestException {
        return ManifestFields.text(ManifestFields.map(tree, "metadata"), "name");
    }

    /** A tree of its own, to be changed. */
    public Map<String, Object> copy() throws ManifestException {
        return ManifestFields.asMap(YamlTree.copy(tree), "document");
    }
}
