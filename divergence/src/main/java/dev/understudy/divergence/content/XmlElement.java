package dev.understudy.divergence.content;

import java.util.List;
import java.util.Map;

/**
 * One element of an XML text, with what a reader who knows namespaces sees of it.
 *
 * @param namespace empty for none
 * @param name without prefix
 * @param attributes by name, with its namespace in braces before it if it has one
 * @param children elements and processing instructions in order; the latter as elements named {@code ?target}
 * @param text of an element without children, all of it; empty if it has children
 */
public record XmlElement(
        String namespace, String name, Map<String, String> attributes, List<XmlElement> children, String text) {
    /** Begins the names of processing instructions. */
    static final String INSTRUCTION = "?";
}
