package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.compare.value.MixedText;
import dev.understudy.divergence.content.MediaType;
import dev.understudy.divergence.content.TimeStamps;
import dev.understudy.divergence.identity.IdentityDraft;
import dev.understudy.divergence.identity.IdentityPlace;
import dev.understudy.divergence.wire.http.Header;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares two header sections by what the fields mean; Set-Cookie is compared elsewhere. */
final class HeaderComparison {
    private static final Set<String> HOP_BY_HOP =
            names("Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade");
    private static final Set<String> UNORDERED = names(
            "Allow",
            "Vary",
            "Cache-Control",
            "Access-Control-Allow-Methods",
            "Access-Control-Allow-Headers",
            "Access-Control-Expose-Headers",
            "Accept-Ranges",
            "Accept-Patch",
            "Pragma");

    private final ComparisonRules rules;
    private final IdentityDraft identities;
    private final ValueNoise noise;
    private final MadeUpHeaders madeUp;

    HeaderComparison(ComparisonRules rules, IdentityDraft identities, ValueNoise noise) {
        this(rules, identities, noise, false);
    }

    private HeaderComparison(
            ComparisonRules rules, IdentityDraft identities, ValueNoise noise, boolean bodiesEquivalent) {
        this.rules = rules;
        this.identities = identities;
        this.noise = noise;
        this.madeUp = new MadeUpHeaders(identities, noise, bodiesEquivalent);
    }

    /** The same for the headers of bodies that differ, all of it for a known reason. */
    HeaderComparison ofEquivalent() {
        return new HeaderComparison(rules, identities, noise, true);
    }

    /** What is known of one side's headers and the body they describe; the length is -1 where none was sent. */
    record Side(List<Header> headers, long bodyLength) {}

    /** @param prefix of the paths, e.g. {@code header.} */
    void compare(String prefix, Side production, Side debug, Differences differences) {
        List<Header> ours = production.headers();
        List<Header> theirs = debug.headers();
        if (ours.equals(theirs)) {
            ours.forEach(header -> shared(prefix, header.name(), header.value()));
            return;
        }
        if (onlyDatesDiffer(ours, theirs)) {
            compareDates(prefix, ours, theirs, differences);
            return;
        }
        Map<String, List<String>> values = group(ours);
        Map<String, List<String>> others = group(theirs);
        Set<String> connection = names(HOP_BY_HOP.toArray(String[]::new));
        connection.addAll(nominated(values));
        connection.retainAll(union(HOP_BY_HOP, nominated(others)));
        boolean found = false;
        for (Map.Entry<String, List<String>> entry : values.entrySet()) {
            String name = entry.getKey();
            List<String> debugValues = others.getOrDefault(name, List.of());
            if (name.equalsIgnoreCase("Set-Cookie")) {
                found |= !entry.getValue().equals(debugValues); // reported by CookieComparison
            } else if (!entry.getValue().equals(debugValues)) {
                found = true;
                Difference.Type type =
                        debugValues.isEmpty() ? Difference.Type.MISSING : type(entry.getValue(), debugValues);
                Noise why = explain(prefix, name, entry.getValue(), debugValues, production, debug, connection);
                String mine = joined(entry.getValue());
                String other = joined(debugValues);
                if (why != null || !mixed(prefix + name, mine, other, differences)) {
                    differences.add(prefix + name, type, mine, other, why);
                }
            } else {
                entry.getValue().forEach(value -> shared(prefix, name, value));
            }
        }
        for (Map.Entry<String, List<String>> entry : others.entrySet()) {
            if (!values.containsKey(entry.getKey())) {
                found = true;
                if (!entry.getKey().equalsIgnoreCase("Set-Cookie")) {
                    Noise why =
                            explain(prefix, entry.getKey(), List.of(), entry.getValue(), production, debug, connection);
                    differences.add(
                            prefix + entry.getKey(), Difference.Type.EXTRA, null, joined(entry.getValue()), why);
                }
            }
        }
        if (!found) { // the same values by name, so order or case of names differs
            differences.noise(prefix + "*", Difference.Type.ORDER, namesOf(ours), namesOf(theirs), Noise.HEADER_ORDER);
        }
    }

    private void shared(String prefix, String name, String value) {
        if (identities.shared(value)) {
            identities.agreedAt(prefix + name);
        }
    }

    /** The common case: the same fields in the same order, with two values for Date. */
    private static boolean onlyDatesDiffer(List<Header> ours, List<Header> theirs) {
        if (ours.size() != theirs.size()) {
            return false;
        }
        int dates = 0;
        for (int i = 0; i < ours.size(); i++) {
            Header mine = ours.get(i);
            if (mine.is("Date") && mine.name().equals(theirs.get(i).name())) {
                dates++;
            } else if (!mine.equals(theirs.get(i))) {
                return false;
            }
        }
        return dates == 1;
    }

    private void compareDates(String prefix, List<Header> ours, List<Header> theirs, Differences differences) {
        for (int i = 0; i < ours.size(); i++) {
            Header mine = ours.get(i);
            String other = theirs.get(i).value();
            if (mine.value().equals(other)) {
                shared(prefix, mine.name(), mine.value());
            } else {
                Noise why = rules.ignoredHeaders().contains(mine.name())
                        ? Noise.RULE
                        : single(prefix, "Date", mine.value(), other);
                differences.add(prefix + mine.name(), Difference.Type.VALUE, mine.value(), other, why);
            }
        }
    }

    private @Nullable Noise explain(
            String prefix,
            String name,
            List<String> ours,
            List<String> theirs,
            Side production,
            Side debug,
            Set<String> connection) {
        if (rules.ignoredHeaders().contains(name)) {
            return Noise.RULE;
        }
        if (connection.contains(name)) {
            return Noise.CONNECTION_HEADER;
        }
        if (name.equalsIgnoreCase("Content-Length")) {
            return length(ours, theirs, production, debug);
        }
        if (ours.isEmpty() || theirs.isEmpty()) {
            return null;
        }
        if (String.join(", ", ours).equals(String.join(", ", theirs))) {
            return Noise.HEADER_FORM; // one line or several, RFC 9110, section 5.3
        }
        if (UNORDERED.contains(name) && sorted(items(ours)).equals(sorted(items(theirs)))) {
            return Noise.HEADER_ORDER;
        }
        return ours.size() == 1 && theirs.size() == 1 ? single(prefix, name, ours.get(0), theirs.get(0)) : null;
    }

    private @Nullable Noise single(String prefix, String name, String ours, String theirs) {
        if (name.equalsIgnoreCase("Date")) {
            boolean dates = TimeStamps.httpDate(ours) != null && TimeStamps.httpDate(theirs) != null;
            return dates ? Noise.DATE_HEADER : null;
        }
        if (name.equalsIgnoreCase("Content-Type")) {
            MediaType type = MediaType.of(ours);
            return type != null && type.equals(MediaType.of(theirs)) ? Noise.HEADER_FORM : null;
        }
        return madeUp.explain(prefix + name, name, ours, theirs);
    }

    /** A difference in length is the body's, if each side's header tells the truth or leaves it to the framing. */
    private static @Nullable Noise length(List<String> ours, List<String> theirs, Side production, Side debug) {
        boolean mine = ours.isEmpty() ? chunked(production) : tellsLength(ours, production);
        boolean other = theirs.isEmpty() ? chunked(debug) : tellsLength(theirs, debug);
        return mine && other ? Noise.BODY_LENGTH : null;
    }

    /** Compares by parts, of which some may be made up; a hash of content is one thing, whatever it looks like. */
    private boolean mixed(String path, @Nullable String ours, @Nullable String theirs, Differences differences) {
        return ours != null
                && theirs != null
                && !IdentityPlace.holdsContentHash(path)
                && new MixedText(identities, noise, differences).compare(path, ours, theirs);
    }

    private static boolean chunked(Side side) {
        return side.bodyLength() >= 0 && side.headers().stream().anyMatch(header -> header.is("Transfer-Encoding"));
    }

    private static boolean tellsLength(List<String> values, Side side) {
        return values.size() == 1 && values.get(0).equals(Long.toString(side.bodyLength()));
    }

    private static Difference.Type type(List<String> ours, List<String> theirs) {
        return ours.size() > 1 && sorted(ours).equals(sorted(theirs)) ? Difference.Type.ORDER : Difference.Type.VALUE;
    }

    private static Map<String, List<String>> group(List<Header> headers) {
        Map<String, List<String>> groups = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (Header header : headers) {
            groups.computeIfAbsent(header.name(), name -> new ArrayList<>(1)).add(header.value());
        }
        return groups;
    }

    /** The fields that a Connection header declares to be about this connection. */
    private static Set<String> nominated(Map<String, List<String>> headers) {
        return names(items(headers.getOrDefault("Connection", List.of())).toArray(String[]::new));
    }

    private static Set<String> union(Set<String> first, Set<String> second) {
        Set<String> both = names(first.toArray(String[]::new));
        both.addAll(second);
        return both;
    }

    /** The members of a list (RFC 9110, section 5.6.1): split at commas outside quotes, without blanks around. */
    private static List<String> items(List<String> values) {
        List<String> items = new ArrayList<>();
        for (String value : values) {
            int start = 0;
            boolean quoted = false;
            for (int i = 0; i <= value.length(); i++) {
                boolean end = i == value.length();
                if (!end && value.charAt(i) == '"' && (i == 0 || value.charAt(i - 1) != '\\')) {
                    quoted = !quoted;
                }
                if (end || (value.charAt(i) == ',' && !quoted)) {
                    items.add(value.substring(start, i).strip());
                    start = i + 1;
                }
            }
        }
        return items;
    }

    private static List<String> sorted(List<String> items) {
        return items.stream().sorted().toList();
    }

    private static @Nullable String joined(List<String> values) {
        return values.isEmpty() ? null : String.join(", ", values);
    }

    private static String namesOf(List<Header> headers) {
        return String.join(", ", headers.stream().map(Header::name).toList());
    }

    private static Set<String> names(String... names) {
        Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Collections.addAll(set, names);
        return set;
    }
}
