package dev.understudy.divergence.compare.value;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.ItemOrder;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.ValueOrigin;
import dev.understudy.divergence.content.JsonValue;
import dev.understudy.divergence.identity.IdentityDraft;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Compares two JSON values by path. The order of members means nothing, that of items does. Numbers are equal only
 * if written alike: {@code 1.0} for {@code 1} is a difference, because typed clients may notice.
 */
public final class JsonComparison {
    private static final int MAX_PERMUTED = 2000;

    private final IdentityDraft identities;
    private final ValueNoise noise;
    private final Differences differences;
    private final int nested;
    private final StringBuilder path = new StringBuilder();
    private boolean found;

    /** Compares for one exchange; what it finds and learns goes to the others. */
    public JsonComparison(IdentityDraft identities, ValueNoise noise, Differences differences) {
        this(identities, noise, differences, 0);
    }

    /** @param nested in how many texts these values stand */
    JsonComparison(IdentityDraft identities, ValueNoise noise, Differences differences, int nested) {
        this.nested = nested;
        this.identities = identities;
        this.noise = noise;
        this.differences = differences;
    }

    /** Whether a difference was found. */
    public boolean compare(String root, JsonValue production, JsonValue debug) {
        path.setLength(0);
        path.append(root);
        found = false;
        values(root, production, debug);
        return found;
    }

    private void values(String place, JsonValue ours, JsonValue theirs) {
        if (differences.full()) {
            found = true; // nothing that could follow changes the verdict
        } else if (ours instanceof JsonValue.Obj a && theirs instanceof JsonValue.Obj b) {
            members(a.members(), b.members());
        } else if (ours instanceof JsonValue.Arr a && theirs instanceof JsonValue.Arr b) {
            items(place, a.items(), b.items());
        } else if (ours.equals(theirs)) {
            if (ours instanceof JsonValue.Str text) {
                identities.sharedAt(path, text.text());
            }
        } else if (ours instanceof JsonValue.Str a && theirs instanceof JsonValue.Str b) {
            texts(place, a, b);
        } else if (ours instanceof JsonValue.Num a && theirs instanceof JsonValue.Num b) {
            report(Difference.Type.VALUE, ours, theirs, noise.ofNumber(a.text(), b.text()));
        } else {
            report(
                    ours.getClass() == theirs.getClass() ? Difference.Type.VALUE : Difference.Type.TYPE,
                    ours,
                    theirs,
                    null);
        }
    }

    private void texts(String place, JsonValue.Str ours, JsonValue.Str theirs) {
        Noise whole = noise.ofTextAt(path, place, ours.text(), theirs.text());
        MixedText mixed = new MixedText(identities, noise, differences, nested);
        if (whole == null && mixed.compare(path.toString(), ours.text(), theirs.text())) {
            found = true;
        } else {
            report(Difference.Type.VALUE, ours, theirs, whole);
        }
    }

    private void members(Map<String, JsonValue> ours, Map<String, JsonValue> theirs) {
        int length = path.length();
        for (Map.Entry<String, JsonValue> entry : ours.entrySet()) {
            String name = entry.getKey();
            appendName(path, name);
            JsonValue other = theirs.get(name);
            ValueOrigin outer = enter(ours, theirs, name);
            if (other == null) {
                report(Difference.Type.MISSING, entry.getValue(), null, null);
            } else {
                values(name, entry.getValue(), other);
            }
            differences.leave(outer);
            path.setLength(length);
        }
        for (Map.Entry<String, JsonValue> entry : theirs.entrySet()) {
            if (!ours.containsKey(entry.getKey())) {
                appendName(path, entry.getKey());
                ValueOrigin outer = enter(ours, theirs, entry.getKey());
                report(Difference.Type.EXTRA, null, entry.getValue(), null);
                differences.leave(outer);
                path.setLength(length);
            }
        }
    }

    private @Nullable ValueOrigin enter(Map<String, JsonValue> ours, Map<String, JsonValue> theirs, String member) {
        return differences.enter(Integer.MAX_VALUE, SiblingName.of(ours, member), SiblingName.of(theirs, member));
    }

    private void items(String place, List<JsonValue> ours, List<JsonValue> theirs) {
        if (permuted(ours, theirs)) {
            found = true;
            differences.real(path.toString(), Difference.Type.ORDER, ItemOrder.of(ours), ItemOrder.of(theirs));
            return;
        }
        int from = 0;
        int cut = 0; // items equal at the end, if the lengths differ
        int common = Math.min(ours.size(), theirs.size());
        if (ours.size() != theirs.size()) {
            while (from < common && ours.get(from).equals(theirs.get(from))) {
                from++;
            }
            while (cut < common - from && ours.get(ours.size() - 1 - cut).equals(theirs.get(theirs.size() - 1 - cut))) {
                cut++;
            }
            found = true;
            String before = path.toString();
            differences.real(before, Difference.Type.LENGTH, ours.size() + " items", theirs.size() + " items");
        }
        int length = path.length();
        int pairs = common - cut;
        for (int i = from; i < Math.max(ours.size(), theirs.size()) - cut && !differences.full(); i++) {
            path.append('[').append(i).append(']');
            if (i < pairs) {
                values(place, ours.get(i), theirs.get(i));
            } else if (i < ours.size() - cut) {
                report(Difference.Type.MISSING, ours.get(i), null, null);
            } else {
                report(Difference.Type.EXTRA, null, theirs.get(i), null);
            }
            path.setLength(length);
        }
    }

    private static boolean permuted(List<JsonValue> ours, List<JsonValue> theirs) {
        if (ours.size() != theirs.size() || ours.size() < 2 || ours.size() > MAX_PERMUTED || ours.equals(theirs)) {
            return false;
        }
        Map<JsonValue, Integer> counts = new HashMap<>();
        ours.forEach(item -> counts.merge(item, 1, Integer::sum));
        for (JsonValue item : theirs) {
            if (counts.merge(item, -1, Integer::sum) < 0) {
                return false;
            }
        }
        return true;
    }

    private void report(
            Difference.Type type, @Nullable JsonValue ours, @Nullable JsonValue theirs, @Nullable Noise why) {
        found = true;
        differences.add(path.toString(), type, shown(ours), shown(theirs), why);
    }

    /** Members and items aren't shown, only named or counted: they may hold secrets and be large. */
    private static @Nullable String shown(@Nullable JsonValue value) {
        if (value == null) {
            return null;
        } else if (value instanceof JsonValue.Obj object) {
            return "{" + String.join(", ", object.members().keySet()) + "}";
        } else if (value instanceof JsonValue.Arr array) {
            return "[" + array.items().size() + " items]";
        } else if (value instanceof JsonValue.Str string) {
            return '"' + string.text() + '"';
        } else if (value instanceof JsonValue.Num number) {
            return number.text();
        } else if (value instanceof JsonValue.Bool bool) {
            return Boolean.toString(bool.value());
        }
        return "null";
    }

    /** Appends the name of a member to a path: {@code .name}, or {@code ["any name"]}. */
    public static void appendName(StringBuilder path, String name) {
        boolean plain = !name.isEmpty() && name.length() <= 64;
        for (int i = 0; i < name.length() && plain; i++) {
            plain = Character.isLetterOrDigit(name.charAt(i)) || name.charAt(i) == '_' || name.charAt(i) == '-';
        }
        if (plain) {
            path.append('.').append(name);
        } else {
            String cut = name.length() > 64 ? name.substring(0, 64) + "…" : name;
            path.append("[\"").append(cut.replace("\"", "\\\"")).append("\"]");
        }
    }
}
