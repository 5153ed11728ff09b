package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.content.JsonValue;
import dev.understudy.divergence.content.XmlElement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Two texts in the shape of JSON, in which they are compared: what has a name is a member, things of the same name are
 * an array in both if there are several in either.
 *
 * <p>Of XML, attributes are members {@code @name}, the order of an element's children is a member {@code #order} where
 * it has children of several names, and a namespace that differs from the parent's is a member {@code #namespace}.
 */
public final class Outline {
    private static final String TEXT = "#text";

    private final Set<String> several = new HashSet<>();

    private Outline() {}

    /** Both, in the order given. */
    public static List<JsonValue> of(XmlElement one, XmlElement other) {
        Outline outline = new Outline();
        outline.count(one);
        outline.count(other);
        return List.of(outline.root(one), outline.root(other));
    }

    /** The fields of two forms, in the order given. */
    public static List<JsonValue> of(Map<String, List<String>> one, Map<String, List<String>> other) {
        return List.of(fields(one, other), fields(other, one));
    }

    private static JsonValue fields(Map<String, List<String>> form, Map<String, List<String>> beside) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        form.forEach((name, values) -> {
            boolean several =
                    values.size() > 1 || beside.getOrDefault(name, List.of()).size() > 1;
            List<JsonValue> items = new ArrayList<>();
            values.forEach(value -> items.add(new JsonValue.Str(value)));
            members.put(name, several ? new JsonValue.Arr(items) : items.get(0));
        });
        return new JsonValue.Obj(members);
    }

    private void count(XmlElement parent) {
        Set<String> once = new HashSet<>();
        for (XmlElement child : parent.children()) {
            if (!once.add(child.name())) {
                several.add(place(parent, child));
            }
            count(child);
        }
    }

    private static String place(XmlElement parent, XmlElement child) {
        return parent.name() + " " + child.name();
    }

    private JsonValue root(XmlElement root) {
        return new JsonValue.Obj(Map.of(root.name(), value(root, "")));
    }

    private JsonValue value(XmlElement element, String namespace) {
        boolean bare = element.attributes().isEmpty() && element.namespace().equals(namespace);
        if (element.children().isEmpty() && bare) {
            return new JsonValue.Str(element.text());
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        if (!element.namespace().equals(namespace)) {
            members.put("#namespace", new JsonValue.Str(element.namespace()));
        }
        element.attributes().forEach((name, value) -> members.put("@" + name, new JsonValue.Str(value)));
        if (element.children().isEmpty()) {
            members.put(TEXT, new JsonValue.Str(element.text()));
        } else {
            children(element, members);
        }
        return new JsonValue.Obj(members);
    }

    private void children(XmlElement element, Map<String, JsonValue> members) {
        Map<String, List<JsonValue>> lists = new HashMap<>();
        List<String> order = new ArrayList<>();
        for (XmlElement child : element.children()) {
            JsonValue value = value(child, element.namespace());
            if (several.contains(place(element, child))) {
                List<JsonValue> list = lists.computeIfAbsent(child.name(), name -> new ArrayList<>());
                list.add(value);
                members.put(child.name(), new JsonValue.Arr(list));
            } else {
                members.put(child.name(), value);
            }
            if (order.isEmpty() || !order.get(order.size() - 1).equals(child.name())) {
                order.add(child.name());
            }
        }
        if (order.size() > 1) {
            members.put("#order", new JsonValue.Str(String.join(" ", order)));
        }
    }
}
